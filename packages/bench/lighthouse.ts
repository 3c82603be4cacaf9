import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { choiceCookie, policyVersion } from "../core/consent/policy.ts";
import { client } from "../local/client.ts";
import { password } from "../local/demo.ts";
import { startLocal } from "../local/server.ts";
import { executable } from "../local/testing/chromium.ts";
import { median } from "./interleaved.ts";

const runs = 3;

const categories = ["performance", "accessibility", "best-practices"] as const;

/** The smallest score of each category that passes. */
const required = { performance: 95, accessibility: 100, "best-practices": 100 };

type Result = { scores: number[]; failed: string[] };

/** Measures the sign-in page of a new visitor and Home of a signed-in manager with Lighthouse, as a desktop. */
export async function lighthouse(): Promise<string> {
  const data = await mkdtemp(join(tmpdir(), "svc-lighthouse-"));
  const server = await startLocal({ port: 0, data, seed: "demo", env: {}, site: await client(false) });
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: await executable(),
    args: ["--no-sandbox", "--disable-gpu", `--remote-debugging-port=${port}`],
  });
  try {
    const pages = [await measure("/login", server.url, port)];
    const session = await browser.newBrowserCDPSession();
    await session.send("Storage.setCookies", { cookies: await cookies(server.url) });
    pages.push(await measure("/", server.url, port));
    return table(pages);
  } finally {
    await browser.close();
    await server.close();
    await rm(data, { recursive: true, force: true });
  }
}

async function measure(path: string, origin: string, port: number): Promise<Result & { path: string }> {
  const { default: run, desktopConfig } = await import("lighthouse");
  const results: Result[] = [];
  for (let n = 0; n < runs; n++) {
    const found = await run(
      origin + path,
      { port, output: "json", onlyCategories: categories },
      desktopConfig,
    );
    results.push(scoresOf(found.lhr));
  }
  const scores = categories.map((_, at) => median(results.map((one) => one.scores[at] ?? 0)));
  return { path, scores, failed: [...new Set(results.flatMap(({ failed }) => failed))] };
}

type Report = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null }>;
};

function scoresOf({ categories: found, audits }: Report): Result {
  const weighty = Object.values(found).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0),
  );
  return {
    scores: categories.map((name) => Math.round((found[name]?.score ?? 0) * 100)),
    failed: weighty.map(({ id }) => id).filter((id) => (audits[id]?.score ?? 1) < 0.9),
  };
}

/** The cookies of a signed-in manager who has answered the question about cookies. */
async function cookies(origin: string) {
  const answer = await fetch(`${origin}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "owner@demo.test", password }),
  });
  const { token } = (await answer.json()) as { token: string };
  const consent = {
    policyVersion,
    at: Date.now() - 1000,
    categories: ["essential", "functional"],
    action: "custom",
    proof: "con_bench",
  };
  return [
    { name: "svc_token", value: token, url: origin },
    { name: choiceCookie, value: encodeURIComponent(JSON.stringify(consent)), url: origin },
  ];
}

function table(pages: readonly (Result & { path: string })[]): string {
  const passed = pages.every(({ scores }) =>
    categories.every((name, at) => (scores[at] ?? 0) >= required[name]),
  );
  return [
    `### Lighthouse, desktop (median of ${runs}, the built client): ${passed ? "passed" : "FAILED"}`,
    "",
    "| page | performance | accessibility | best practices | audits below 90 % |",
    "|---|---|---|---|---|",
    ...pages.map(({ path, scores, failed }) => `| ${path} | ${scores.join(" | ")} | ${failed.join(", ")} |`),
    "",
  ].join("\n");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
