import { randomBytes, randomUUID } from "node:crypto";
import { type Account, clientOf } from "./check.ts";
import { type Stage, toolsOf } from "./stage.ts";

/**
 * Registers a user with a workspace on the local server and gives the workspace the plan ENTERPRISE. The session is
 * reauthenticated.
 */
export async function register(
  stage: Stage,
  succeeded: (operation: string) => void = () => {},
): Promise<Account> {
  const tools = toolsOf(stage);
  const anyone = clientOf(stage, undefined, succeeded);
  const email = `smoke-${randomUUID()}@smoke.test`;
  const password = newPassword();
  await anyone("POST /auth/register", {
    expect: 202,
    body: { email, password, name: "Smoke", workspaceName: "Smoke" },
  });
  const link = await tools.link(email, "verify-email");
  const signedIn = await anyone("POST /auth/email/verify", { body: { token: link.token, password } });
  const { token, user } = signedIn.body;
  const call = clientOf(stage, token, succeeded);
  const [{ id: workspaceId }] = user.workspaces;
  const [{ id: teamId }] = user.teams;
  await tools.runJob("set-plan", { workspaceId, plan: "ENTERPRISE" });
  await call("POST /auth/reauthenticate", { body: { password } });
  const { origin: appUrl } = link;
  return { id: user.id, email, password, workspaceId, teamId, appUrl, signedIn, call, deleted: false };
}

/** Returns a strong password. It is short, because the time to rate its strength grows fast with its length. */
export function newPassword(): string {
  return randomBytes(12).toString("base64url");
}

/** Deletes a registered user and its workspaces. Signs in again if the check has ended the session. */
export async function remove(stage: Stage, account: Account): Promise<void> {
  if (account.deleted) return;
  const { status } = await account.call("DELETE /user", { expect: [204, 401, 403] });
  if (status === 204) return;
  const { email, password } = account;
  const { body } = await clientOf(stage)("POST /auth/login", { body: { email, password } });
  const call = clientOf(stage, body.token);
  await call("POST /auth/reauthenticate", { body: { password } });
  await call("DELETE /user", { expect: 204 });
}
