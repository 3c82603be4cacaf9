import * as Passkey from "../core/identity/factors/passkey.ts";
import { forgot } from "../core/identity/password/reset-link.ts";
import { login } from "../core/identity/sign-in/login.ts";
import { signIn } from "../core/identity/sign-in/passkey-login.ts";
import { close, connect } from "../core/platform/db/engine.ts";
import { migrate } from "../core/platform/db/migrate.ts";
import { open } from "../core/platform/db/pglite.ts";
import { authenticator } from "../core/testing/authenticator.ts";
import { withPasskey } from "../core/testing/factors.ts";
import { person } from "../core/testing/people.ts";
import { openMailBox } from "../local/mail-box.ts";
import { median } from "./interleaved.ts";

const tries = 200;
const origin = { ip: "127.0.0.1", userAgent: "bench", requestId: "bench" };

/** The smallest p-value that passes. A smaller one means that response times reveal what exists. */
const threshold = 0.01;

/** The requests about something that exists and something that does not, one of each in a round. */
type Pair = { known: () => Promise<unknown>; unknown: () => Promise<unknown> };

/**
 * Tests whether response times reveal whether an email has an account, or a passkey exists. One run in a hundred fails by
 * chance, so repeat a failed run before believing it.
 */
export async function timing(): Promise<string> {
  connect(await open());
  await migrate();
  const mailBox = await openMailBox();
  process.env.SMTP_URL = mailBox.url;
  const rows = [
    ...(await aboutEmails()),
    await compare("passkey: wrong assertion or unknown credential", await aboutPasskeys()),
  ];
  await mailBox.close();
  await close();
  return [
    `### Do response times reveal whether an account or a passkey exists? (${tries} requests each, Mann-Whitney test; p must be over ${threshold})`,
    "",
    "| request | median ms, known | median ms, unknown | p | revealed |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

async function aboutEmails(): Promise<string[]> {
  const emails: string[] = [];
  for (let round = 0; round <= tries; round++) emails.push((await person()).email);
  const pairs = (request: (email: string) => Promise<unknown>) =>
    emails.map((email) => ({ known: () => request(email), unknown: () => request(`x${email}`) }));
  const wrongPassword = (email: string) => refused(login({ email, password: "not the password" }, origin));
  return [
    await compare("sign in: wrong password or unknown email", pairs(wrongPassword)),
    await compare(
      "forgotten password: known or unknown email",
      pairs((email) => forgot({ email }, origin)),
    ),
  ];
}

/** Prepares assertions of passkeys with the signatures of other keys, and of keys that are not registered. */
async function aboutPasskeys(): Promise<Pair[]> {
  const owner = await person();
  const pairs: Pair[] = [];
  for (let round = 0; round <= tries; round++) {
    const passkey = await withPasskey(owner);
    const { userHandle } = passkey;
    pairs.push({
      known: await wrongAssertion(passkey, userHandle),
      unknown: await wrongAssertion(authenticator(), userHandle),
    });
  }
  return pairs;
}

async function wrongAssertion(key: ReturnType<typeof authenticator>, userHandle: string) {
  const { options, challengeToken } = await Passkey.options();
  const { challenge } = options;
  const { signature } = authenticator().assert({ challenge }).response;
  const made = key.assert({ challenge, userHandle });
  const credential = { ...made, response: { ...made.response, signature, userHandle } };
  const input = Passkey.Proof.parse({ challengeToken, credential });
  return () => refused(signIn(input, origin));
}

async function refused(attempt: Promise<unknown>): Promise<void> {
  await attempt.catch((error: { code?: string }) => {
    if (error.code !== "invalid_credentials") throw error;
  });
}

/** Times pairs of requests in random order within each pair. The first pair is a warm-up and is not counted. */
async function compare(name: string, pairs: readonly Pair[]): Promise<string> {
  const times: [number[], number[]] = [[], []];
  for (const [round, { known, unknown }] of pairs.entries()) {
    const pair = [
      { request: known, list: times[0] },
      { request: unknown, list: times[1] },
    ];
    if (Math.random() < 0.5) pair.reverse();
    for (const { request, list } of pair) {
      const started = performance.now();
      await request();
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
