import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { photo } from "@svc/core/testing/pictures";
import { password } from "@svc/local/demo";
import { start, stop } from "@svc/local/testing/server-process";
import { beforeAll, describe, expect, it } from "vitest";
import { classify, type Document } from "./exceptions.ts";
import { install } from "./install.ts";

const file = fileURLToPath(new URL("../../functions/openapi/document.json", import.meta.url));

beforeAll(install);

describe("the OpenAPI document", () => {
  it("violates no rule of Spectral and Redocly but those of exceptions.ts", async () => {
    const { redocly, spectral } = await import("./lint.ts");
    const findings = [...(await spectral(file)), ...(await redocly(file))];
    const document: Document = JSON.parse(await readFile(file, "utf8"));
    expect(classify(findings, document)).toEqual({ violations: [], unneeded: [] });
  });
});

describe("generated clients", () => {
  it("compile without a cast and sign in, read the user, list entries and upload a picture", async () => {
    const { generate, generators } = await import("./clients.ts");
    await using opened = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "svc-openapi-data-"));
    opened.defer(() => rm(folder, { recursive: true }));
    const picture = join(folder, "picture.jpg");
    await writeFile(picture, await photo());
    const server = await start(join(folder, "data"));
    opened.defer(() => stop(server, "SIGKILL"));

    const clients = opened.use(await generate(file));
    expect(await clients.compile()).toBe("");
    const email = "member@demo.test";
    for (const generator of generators)
      expect(await clients.call(generator, server.url, email, password, picture)).toEqual({
        email,
        entries: 2,
        hours: expect.any(Number),
        avatar: expect.stringMatching(/^http.+X-Amz-Signature=/),
      });
  });
});
