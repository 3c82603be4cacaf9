import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let child: ChildProcess;
let url: string;
let output = "";

beforeAll(async () => {
  child = fork(fileURLToPath(new URL("testing/uncaught-child.ts", import.meta.url)), {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [port] = await once(child, "message");
  url = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  child.kill("SIGKILL");
  await once(child, "exit");
});

describe("an error that nothing catches", () => {
  test.each([
    ["emit", "an event without a listener"],
    ["throw", "an exception in a callback"],
    ["reject", "a rejection without a handler"],
  ])("in the function %s is logged in full and answered with 500", async (name, message) => {
    const answer = await fetch(`${url}/${name}`);
    expect([answer.status, await answer.json()]).toEqual([500, { message: "Internal Server Error" }]);
    await expect
      .poll(() => output)
      .toMatch(new RegExp(`"message":"uncaught error".*${message}.*uncaught-child\\.ts`));
  });

  test("fails neither other calls that are running nor later ones", async () => {
    const waiting = fetch(`${url}/wait`);
    expect((await fetch(`${url}/throw`)).status).toBe(500);
    expect((await fetch(`${url}/release`)).status).toBe(200);
    expect([(await waiting).status, child.exitCode]).toEqual([200, null]);
  });
});
