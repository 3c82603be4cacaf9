import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { testPool } from "@svc/core/testing/database";
import { owner } from "@svc/core/testing/people";
import { startLocal } from "@svc/local/server";
import { build } from "esbuild";
import sharp from "sharp";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { createClient } from "./client.ts";
import { readmeExamples } from "./testing/readme.ts";

const [first = "", second = ""] = await readmeExamples();

/** Writes an example as a module that Node can import, with the client bundled into it. */
async function writeModule(folder: string, code: string): Promise<string> {
  const outfile = join(folder, "example.mjs");
  await build({
    stdin: { contents: code, loader: "ts", resolveDir: import.meta.dirname },
    ...{ bundle: true, platform: "node", format: "esm", outfile, logLevel: "silent" },
  });
  return outfile;
}

it("the first example of the README does what it says, in ten lines", async () => {
  await using opened = new AsyncDisposableStack();
  const data = await mkdtemp(join(tmpdir(), "svc-client-"));
  opened.defer(() => rm(data, { recursive: true, force: true }));
  const server = await startLocal({ port: 0, data, seed: "none", database: testPool(), env: {} });
  opened.defer(() => server.close());
  const { token } = await owner();

  expect(first.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(10);
  expect(first).toContain("http://localhost:4000");
  await sharp({ create: { width: 20, height: 20, channels: 3, background: "red" } }).toFile(
    join(data, "me.png"),
  );
  const file = await writeModule(data, first.replace("http://localhost:4000", server.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    cwd: data,
    env: { SVC_TOKEN: token },
  });
  expect(stdout).toMatch(/^Sketches \d{4}-\d\d-\d\dT\S+Z\ntimer_already_running\n$/);
  const me = await createClient({ baseUrl: server.url, token }).get("/auth/me");
  expect(me.avatar).toMatch(/^http/);
});

it("the example of webhooks in the README accepts what the API signs, and nothing else", async () => {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "svc-client-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  process.env.WEBHOOK_SECRET = secret;
  opened.defer(() => {
    delete process.env.WEBHOOK_SECRET;
  });
  const { receive } = (await import(pathToFileURL(await writeModule(folder, second)).href)) as {
    receive(request: Request): Promise<Response>;
  };
  const now = new Date();
  const request = (body: string) =>
    new Request("http://localhost:3000", {
      method: "POST",
      body,
      headers: {
        "webhook-id": "evt_1",
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": new Webhook(secret).sign("evt_1", now, '{"type":"currency.changed"}'),
      },
    });
  expect((await receive(request('{"type":"currency.changed"}'))).status).toBe(204);
  await expect(receive(request('{"type":"project.archived"}'))).rejects.toMatchObject({
    code: "signature_invalid",
  });
});
