import { writeFileSync } from "node:fs";
import type { Example } from "../openapi/examples.ts";
import type { RequestOptions, TestResponse } from "./request.ts";

const { RECORD_EXAMPLES: file } = process.env;
const recorded: Record<string, Example> = {};

/** Keeps the first successful call of each route, if this run records examples for the OpenAPI document. */
export function record(
  key: string,
  { path, query, body, form }: RequestOptions,
  response: TestResponse,
): void {
  if (!file || recorded[key] || response.status >= 300) return;
  // The document itself would more than double its size.
  if (key === "GET /openapi.json") {
    const { openapi, info } = response.body;
    response = { ...response, body: { openapi, info, paths: {} } };
  }
  const isFile = !response.headers["content-type"]?.includes("json") && typeof response.body === "string";
  recorded[key] = presentable({
    ...(path && { path }),
    ...(query && { query }),
    ...(body !== undefined && !form && { request: body }),
    status: response.status,
    ...(response.body !== undefined && !isFile && { response: response.body }),
  }) as Example;
}

/** Writes the examples of this run, in alphabetical order, if it records them. */
export function writeRecorded(): void {
  if (!file) return;
  const sorted = Object.fromEntries(Object.entries(recorded).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Lists are cut to this length. */
const shown = 2;

/** Values of tests, and the values that documentation shows instead. */
const replacements: [RegExp, string][] = [
  // Emails and names of tests are unique by a random part.
  [/[\w.-]+@(?:people|new)\.test/g, "ada@example.com"],
  [/ [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ""],
  [
    /http:\/\/(?:127\.0\.0\.1|localhost):\d+\/[\w-]+(?=\/avatars)/g,
    "https://svc-avatars.s3.eu-central-1.amazonaws.com",
  ],
  [/http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, "https://svc.example.com"],
  [/(<svg .{80}).+(?=<\/svg>)/g, "$1"],
  // Signed and secret values would look like leaked ones.
  [/(X-Amz-Credential=)[^&%]+/g, "$1EXAMPLE"],
  [/(X-Amz-Signature=)[^&]+/g, "$1e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.e30"],
];

function presentable(value: unknown): unknown {
  if (typeof value === "string")
    return replacements.reduce((text, [pattern, shown]) => text.replace(pattern, shown), value);
  if (Array.isArray(value)) return (value.length > 10 ? value.slice(0, shown) : value).map(presentable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, presentable(inner)]));
}
