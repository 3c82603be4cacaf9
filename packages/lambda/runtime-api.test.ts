import { afterEach, beforeEach, expect, test } from "vitest";
import { openRuntimeApi, type RuntimeApi } from "./runtime-api.ts";

let api: RuntimeApi;
let base: string;

beforeEach(async () => {
  api = await openRuntimeApi("arn:aws:lambda:eu-central-1:1:function:x", 30);
  base = `http://${api.address}/2018-06-01/runtime`;
});

afterEach(() => api.close());

const post = (path: string, body: unknown) =>
  fetch(`${base}${path}`, { method: "POST", body: JSON.stringify(body) });

test("an event waits for the function, and its answer finds its way back", async () => {
  const outcome = api.invoke({ hello: 1 });
  const next = await fetch(`${base}/invocation/next`);
  await api.initialised;
  expect(await next.json()).toEqual({ hello: 1 });
  expect(next.headers.get("lambda-runtime-invoked-function-arn")).toMatch(/function:x$/);
  expect(Number(next.headers.get("lambda-runtime-deadline-ms"))).toBeGreaterThan(Date.now());
  const id = next.headers.get("lambda-runtime-aws-request-id");
  expect((await post(`/invocation/${id}/response`, { done: true })).status).toBe(202);
  expect(await outcome).toEqual({ result: { done: true } });
});

test("a function waits for an event, and what it throws is told apart from what it answers", async () => {
  const next = fetch(`${base}/invocation/next`);
  const outcome = api.invoke({});
  const id = (await next).headers.get("lambda-runtime-aws-request-id");
  const failure = { errorType: "TypeError", errorMessage: "no good" };
  await post(`/invocation/${id}/error`, failure);
  expect(await outcome).toEqual({ failure });
});

test("a bundle that does not load is told in its own words", async () => {
  await post("/init/error", { errorType: "Runtime.ImportModuleError", errorMessage: "no sharp" });
  await expect(api.initialised).rejects.toThrow("Runtime.ImportModuleError: no sharp");
});

test("an answer to nothing is refused", async () => {
  expect((await post("/invocation/unknown/response", {})).status).toBe(404);
});
