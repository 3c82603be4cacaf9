import { forgot } from "../core/identity/password/reset.ts";
import { login } from "../core/identity/sign-in/login.ts";
import { close, connect } from "../core/platform/db/engine.ts";
import { migrate } from "../core/platform/db/migrate.ts";
import { open } from "../core/platform/db/pglite.ts";
import { person } from "../core/testing/people.ts";
import { openMailBox } from "../local/mail-box.ts";
import { median } from "./interleaved.ts";

const tries = 200;
const origin = { ip: "127.0.0.1", userAgent: "bench", requestId: "bench" };

/** The smallest p-value that passes. A smaller one means that response times reveal whether an email has an account. */
const threshold = 0.01;

/**
 * Tests whether response times reveal whether an email has an account. One run in a hundred fails by chance, so repeat a
 * failed run before believing it.
 */
export async function timing(): Promise<string> {
  connect(await open());
  await migrate();
  const mailBox = await openMailBox();
  process.env.SMTP_URL = mailBox.url;
  const known: string[] = [];
  for (let at = 0; at <= tries; at++) known.push((await person()).email);
  const unknown = known.map((email) => `x${email}`);
  const refused = (email: string) =>
    login({ email, password: "not the password" }, origin).catch((error: { code?: string }) => {
      if (error.code !== "invalid_credentials") throw error;
    });
  const rows = [
    await compare("sign in: wrong password or unknown email", known, unknown, refused),
    await compare("forgotten password: known or unknown email", known, unknown, (email) =>
      forgot({ email }, origin),
    ),
  ];
  await mailBox.close();
  await close();
  return [
    `### Do response times reveal whether an email has an account? (${tries} requests each, Mann-Whitney test; p must be over ${threshold})`,
    "",
    "| request | median ms, known | median ms, unknown | p | revealed |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

/** Times pairs of requests in random order within each pair. The first pair is a warm-up and is not counted. */
async function compare(
  name: string,
  known: readonly string[],
  unknown: readonly string[],
  request: (email: string) => Promise<unknown>,
): Promise<string> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round <= tries; round++) {
    const pair = [
      { email: known[round] ?? "", list: times[0] },
      { email: unknown[round] ?? "", list: times[1] },
    ];
    if (Math.random() < 0.5) pair.reverse();
    for (const { email, list } of pair) {
      const started = performance.now();
      await request(email);
      if (round > 0) list.push(performance.now() - started);
    }
  }
  const p = mannWhitney(...times);
  const revealed = p > threshold ? "no" : "YES";
  return `| ${name} | ${median(times[0]).toFixed(2)} | ${median(times[1]).toFixed(2)} | ${p.toFixed(3)} | ${revealed} |`;
}

/**
 * Returns the two-sided p-value of the Mann-Whitney U test, by its normal approximation. It is accurate for twenty values or
 * more without ties.
 */
function mannWhitney(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, own: 1 })), ...other.map((value) => ({ value, own: 0 }))];
  all.sort((a, b) => a.value - b.value);
  const ranks = all.reduce((sum, { own }, at) => sum + own * (at + 1), 0);
  const [n, m] = [one.length, other.length];
  const u = ranks - (n * (n + 1)) / 2;
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return 2 * (1 - normal(z));
}

/** Returns the cumulative normal distribution at z, to seven digits (Abramowitz and Stegun, 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const coefficients = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const tail = coefficients.reduceRight((sum, coefficient) => (sum + coefficient) * t, 0);
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * tail;
}
