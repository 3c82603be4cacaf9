import { owner, password } from "@svc/core/testing/people";
import { describe, expect, test } from "vitest";
import { request } from "../testing/request.ts";

describe("an Idempotency-Key of a request in another workspace", () => {
  const headers = { "idempotency-key": "once" };
  const body = { name: "Engine" };
  const reused = { status: 422, body: { code: "idempotency_key_reused" } };

  /** Creates the owner of two workspaces and returns the ids of both. */
  async function ownerOfTwo() {
    const { token, workspaceId: first } = await owner();
    const { body } = await request("POST /workspaces", { token, body: { name: "Second" } });
    return { token, first, second: body.id as string };
  }

  test("does not return that workspace's result when the cookie names the workspace", async () => {
    const { token, first, second } = await ownerOfTwo();
    const create = (workspaceId: string) =>
      request("POST /api/v1/projects", {
        token,
        headers,
        body,
        cookies: [`svc_current_workspace=${workspaceId}`],
      });
    expect((await create(first)).status).toBe(201);
    expect(await create(second)).toMatchObject(reused);
  });

  test("does not return that workspace's result when an API token names the workspace", async () => {
    const { token, first, second } = await ownerOfTwo();
    await request("POST /auth/reauthenticate", { token, body: { password } });
    const create = async (workspaceId: string) => {
      const scopes = ["write"];
      const made = await request("POST /user/tokens", { token, body: { name: "CI", scopes, workspaceId } });
      return request("POST /api/v1/projects", { token: made.body.token, headers, body });
    };
    expect((await create(first)).status).toBe(201);
    expect(await create(second)).toMatchObject(reused);
  });

  test("returns the result again however the same workspace is named", async () => {
    const { token, first } = await ownerOfTwo();
    const one = await request("POST /api/v1/projects", { token, headers, body });
    const again = await request("POST /api/v1/projects", {
      token,
      headers: { ...headers, "x-workspace-id": first },
      body,
    });
    expect([again.body.id, again.headers["idempotency-replayed"]]).toEqual([one.body.id, "true"]);
  });
});
