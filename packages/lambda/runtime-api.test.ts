import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

describe("openRuntimeApi", () => {
  it("keeps an event until the function requests it, and returns the result", async () => {
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

  it("keeps a request until there is an event, and returns the error of a failed invocation", async () => {
    const next = fetch(`${base}/invocation/next`);
    const outcome = api.invoke({});
    const id = (await next).headers.get("lambda-runtime-aws-request-id");
    const failure = { errorType: "TypeError", errorMessage: "no good" };
    await post(`/invocation/${id}/error`, failure);
    expect(await outcome).toEqual({ failure });
  });

  it("rejects `initialised` with the error of a bundle that does not load", async () => {
    await post("/init/error", { errorType: "Runtime.ImportModuleError", errorMessage: "no sharp" });
    await expect(api.initialised).rejects.toThrow("Runtime.ImportModuleError: no sharp");
  });

  it("returns 404 for the result of an unknown invocation", async () => {
    expect((await post("/invocation/unknown/response", {})).status).toBe(404);
  });
});
