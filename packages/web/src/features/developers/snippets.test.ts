import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  type Document,
  groups,
  matching,
  parametersIn,
  type Response,
  resolved,
  type Schema,
} from "./openapi.ts";
import { fields, kind, objects } from "./schema.ts";
import { clientCode, curl, exampleValues } from "./snippets.ts";

const root = fileURLToPath(new URL("../../../../..", import.meta.url));
const document: Document = JSON.parse(await readFile(join(root, "functions/openapi/document.json"), "utf8"));
const all = groups(document);
const operations = all.flatMap(({ endpoints }) => endpoints).filter(({ method }) => method !== "event");
const origin = "https://svc.example";
const run = promisify(execFile);

/** Returns what the TypeScript compiler finds wrong with these modules. */
async function compile(modules: Record<string, string>): Promise<string> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "svc-snippets-"));
  opened.defer(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "src"));
  for (const [name, code] of Object.entries(modules))
    await writeFile(join(folder, "src", `${name}.ts`), code);
  const compilerOptions = {
    paths: { "@svc/client": [join(root, "packages/client/client.ts")] },
    ...{ strict: true, noEmit: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ target: "es2024", module: "esnext", moduleResolution: "bundler", moduleDetection: "force" },
    ...{ allowImportingTsExtensions: true, skipLibCheck: true },
    ...{ lib: ["es2024", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"] },
    ...{ types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [compiler, "-p", folder]).catch((error) => error);
  return stdout;
}

describe("clientCode", () => {
  it("writes code that compiles for every operation of the document", async () => {
    const modules = operations.map((one) => [
      one.operation.operationId,
      clientCode(one, exampleValues(one, document), document, origin),
    ]);
    expect(modules).toHaveLength(operations.length);
    expect(await compile(Object.fromEntries(modules))).toBe("");
  }, 60_000);

  it("does not compile with a value that the operation does not accept", async () => {
    const one = operations.find(({ operation }) => operation.operationId === "createProject");
    if (!one) throw new Error("The document has no createProject.");
    const code = clientCode(one, { path: {}, query: {}, body: '{"name":1}' }, document, origin);
    expect(await compile({ code })).toContain("TS2322");
  }, 60_000);
});

describe("curl", () => {
  it("writes commands that a shell reads as the request", async () => {
    const script = operations.map((one) => curl(one, exampleValues(one, document), origin)).join("\n");
    const { stdout } = await run("sh", ["-c", `curl() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${script}`]);
    const commands = stdout.split("\n\0").slice(0, -1);
    expect(commands).toHaveLength(operations.length);
    for (const [at, command] of commands.entries()) {
      const one = operations[at];
      const words = command.split("\0");
      const url = new URL(words.find((word) => word.startsWith(origin)) ?? "");
      expect(url.pathname).not.toContain("{");
      const data = words[words.indexOf("--data") + 1] ?? "";
      if (words.includes("--data"))
        expect(JSON.parse(data)).toEqual(one?.operation.requestBody?.content["application/json"]?.example);
    }
  });

  it("quotes an apostrophe", () => {
    const one = operations.find(({ operation }) => operation.operationId === "createProject");
    if (!one) throw new Error("The document has no createProject.");
    expect(curl(one, { path: {}, query: {}, body: `"it's"` }, origin)).toContain(`--data '"it'\\''s"'`);
  });
});

describe("kind", () => {
  it("names the type of every parameter, field and header of the document", () => {
    const named: string[] = [];
    const visit = (schema: Schema, place: string) => {
      named.push(`${place}: ${kind(schema, document)}`);
      for (const one of objects(schema, document))
        for (const field of fields(one, document)) visit(field.schema, `${place}.${field.name}`);
    };
    for (const { operation } of all.flatMap(({ endpoints }) => endpoints)) {
      for (const { name, schema = {} } of parametersIn(operation, ["path", "query", "header"], document))
        visit(schema, `${operation.operationId} ${name}`);
      for (const { schema = {} } of Object.values(operation.requestBody?.content ?? {}))
        visit(schema, operation.operationId);
      for (const [status, response] of Object.entries(operation.responses))
        for (const { schema = {} } of Object.values(resolved<Response>(response, document).content ?? {}))
          visit(schema, `${operation.operationId} ${status}`);
    }
    expect(named.length).toBeGreaterThan(1000);
    expect(named.filter((text) => /: $|undefined|\[object/.test(text))).toEqual([]);
  });
});

describe("matching", () => {
  it("finds operations by method, path, operationId, tag and words of their description", () => {
    const found = (search: string) =>
      matching(all, search).flatMap(({ endpoints }) =>
        endpoints.map(({ operation }) => operation.operationId),
      );
    expect(found("post webhooks rotate")).toEqual(["rotateWebhookSecret"]);
    expect(found("LISTTIMEENTRIES")).toEqual(["listTimeEntries"]);
    expect(found("no such operation")).toEqual([]);
  });
});
