import { owner, reauthenticated } from "@svc/core/testing/people";
import type { Context } from "aws-lambda";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { load } from "../load.ts";
import { type Route, routes } from "../routes.ts";
import { event, request } from "../testing/request.ts";
import type { Handler } from "./api.ts";

const table: Record<string, Route> = routes;
const added: Record<string, Route> = {
  "GET /my-data": { handler: "user/export", caller: "session" },
  "GET /open-by-mistake": { handler: "user/export", caller: "anyone" },
};

beforeAll(() => void Object.assign(table, added));
afterAll(() => {
  for (const key of Object.keys(added)) delete table[key];
});

const context = { awsRequestId: "x", getRemainingTimeInMillis: () => 30_000 } as Context;

/** Calls the handler of GET /user/export under this route key. */
async function exportAt(routeKey: string, token?: string) {
  const handler = await load<Handler>(routes["GET /user/export"].handler);
  const { statusCode, body = "" } = await handler(
    await event(routeKey, { ...(token && { token }) }),
    context,
  );
  return { status: statusCode, code: JSON.parse(body).code };
}

async function tokens() {
  const ada = await reauthenticated(await owner());
  const body = { name: "Export", scopes: ["admin"], workspaceId: ada.workspaceId };
  const created = await request("POST /user/tokens", { token: ada.token, body });
  return { session: ada.token, apiToken: created.body.token as string };
}

describe("signedIn", () => {
  it("accepts a session and rejects an API token with 403 session_required on a new route for sessions", async () => {
    const { session, apiToken } = await tokens();
    expect(await exportAt("GET /my-data", session)).toMatchObject({ status: 200 });
    expect(await exportAt("GET /my-data", apiToken)).toEqual({ status: 403, code: "session_required" });
    expect(await exportAt("GET /my-data")).toEqual({ status: 401, code: "token_missing" });
  });

  it("rejects every request to a route that is not in routes.ts or that routes.ts declares public", async () => {
    const { session, apiToken } = await tokens();
    for (const routeKey of ["GET /not-in-the-table", "GET /open-by-mistake", "$default"])
      for (const token of [session, apiToken, undefined])
        expect(await exportAt(routeKey, token)).toEqual({ status: 500, code: "internal_error" });
  });
});
