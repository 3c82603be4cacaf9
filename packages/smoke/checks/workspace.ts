import { randomUUID } from "node:crypto";
import { type Account, type Check, localOnly, type Run } from "../check.ts";
import { expectEqual, expectMatch } from "../http.ts";
import { toolsOf } from "../stage.ts";
import { createProject } from "./tracking.ts";

const needsSecondUser = localOnly("needs a second user and the mailbox");

/** A currency that hardly any workspace has as its base. */
const code = "ISK";

/** Checks of teams, members and the settings of a workspace. */
export const workspace: readonly Check[] = [
  {
    name: "teams",
    title: "teams are created, renamed and deleted",
    operations: [
      "GET /team",
      "POST /team",
      "GET /team/{id}",
      "PATCH /team/{id}",
      "DELETE /team/{id}",
      "GET /team/{id}/members",
      "GET /team/{id}/invitations",
    ],
    async run({ admin, cleanUp }) {
      const call = await admin();
      const name = `Smoke ${randomUUID()}`;
      const { id } = (await call("POST /team", { expect: 201, body: { name } })).body;
      const path = { id };
      const remove = cleanUp(`the team ${id}`, () => call("DELETE /team/{id}", { expect: 204, path }));
      expectEqual("GET /team/{id}: name", (await call("GET /team/{id}", { path })).body.name, name);
      const renamed = await call("PATCH /team/{id}", { path, body: { name: `${name}!` } });
      expectEqual("PATCH /team/{id}: name", renamed.body.name, `${name}!`);
      const names = (await call("GET /team")).body.data.map(({ name }: { name: string }) => name);
      expectEqual("GET /team: has the team", names.includes(`${name}!`), true);
      const members = await call("GET /team/{id}/members", { path });
      expectEqual("GET /team/{id}/members: total", members.body.meta?.total, members.body.data.length);
      expectEqual(
        "GET …/invitations: data",
        (await call("GET /team/{id}/invitations", { path })).body.data,
        [],
      );
      await remove();
      await call("GET /team/{id}", { path, expect: 404, code: "team_not_found" });
    },
  },
  {
    name: "workspace",
    title: "settings of the workspace are changed and restored",
    operations: [
      "GET /api/v1/workspace",
      "PATCH /api/v1/workspace",
      "GET /api/v1/workspace/members",
      "GET /api/v1/security/ip-allowlist",
      "PUT /api/v1/security/ip-allowlist",
      "GET /api/v1/security/login-map",
    ],
    async run({ admin, cleanUp }) {
      const call = await admin();
      const { weekStart, plan } = (await call("GET /api/v1/workspace")).body;
      expectEqual("GET /api/v1/workspace: plan", plan, "ENTERPRISE");
      cleanUp("the first day of the week", () => call("PATCH /api/v1/workspace", { body: { weekStart } }));
      const other = weekStart === 1 ? 7 : 1;
      const changed = await call("PATCH /api/v1/workspace", { body: { weekStart: other } });
      expectEqual("PATCH /api/v1/workspace: weekStart", changed.body.weekStart, other);
      const { data } = (await call("GET /api/v1/workspace/members")).body;
      expectEqual(
        "GET …/members: has an owner",
        data.some(({ role }: { role: string }) => role === "owner"),
        true,
      );
      // Stores the list that there is, since an enabled one could lock this account out.
      const { enabled, entries } = (await call("GET /api/v1/security/ip-allowlist")).body;
      const stored = await call("PUT /api/v1/security/ip-allowlist", { body: { enabled, entries } });
      expectEqual("PUT …/ip-allowlist: entries", stored.body.entries, entries);
      const map = await call("GET /api/v1/security/login-map");
      expectEqual("GET …/login-map: type", map.body.type, "FeatureCollection");
    },
  },
  {
    name: "currencies",
    title: "currencies have rates, and a rate can be overridden",
    operations: [
      "GET /api/v1/currencies",
      "GET /api/v1/currencies/{code}/rates",
      "PUT /api/v1/currencies/{code}/override",
      "DELETE /api/v1/currencies/{code}/override",
    ],
    async run({ admin, cleanUp, note }) {
      const call = await admin();
      const path = { code };
      const rates = async () => (await call("GET /api/v1/currencies/{code}/rates", { path })).body;
      const listed = async () => {
        const { data } = (await call("GET /api/v1/currencies")).body;
        return data.find((currency: { code: string }) => currency.code === code) ?? {};
      };
      const before = await listed();
      expectMatch("GET /api/v1/currencies: rate", before.rate, /^\d+(\.\d+)?$/);
      if (before.stale) note(`the rate of ${code} is out of date: refresh-rates has not reached the banks`);
      expectEqual("GET …/rates: overrides", (await rates()).overrides, []);
      const body = { rate: "150.5", reason: "Smoke" };
      await call("PUT /api/v1/currencies/{code}/override", { path, body });
      const remove = cleanUp(`the override of ${code}`, () =>
        call("DELETE /api/v1/currencies/{code}/override", { expect: 204, path, query: { all: "true" } }),
      );
      const { rate, overridden } = await listed();
      expectEqual("GET /api/v1/currencies: override", [Number(rate), overridden], [150.5, true]);
      await remove();
      expectEqual("GET …/rates after removal: overrides", (await rates()).overrides, []);
    },
  },
  {
    name: "audit-log",
    title: "the audit log has what was done, as JSON and CSV",
    operations: ["GET /api/v1/audit-logs", "GET /api/v1/audit-logs/checkpoint"],
    async run(run) {
      const call = await run.admin();
      const { id } = await createProject(run, call);
      await call("POST /api/v1/projects/{id}/archive", { path: { id } });
      const query = { action: "project.archived", target: id };
      const { body } = await call("GET /api/v1/audit-logs", { query });
      expectEqual(
        "GET /api/v1/audit-logs: targets",
        body.data.map(({ target }: { target: { id: string } }) => target.id),
        [id],
      );
      const csv = await call("GET /api/v1/audit-logs", { query: { ...query, format: "csv" } });
      expectMatch(
        "GET /api/v1/audit-logs?format=csv: content-type",
        csv.headers.get("content-type"),
        /^text\/csv\b/,
      );
      expectEqual("GET /api/v1/audit-logs?format=csv: has the project", csv.body.includes(id), true);
      // A new workspace has no checkpoint until its first entries are ten minutes old.
      const checkpoint = await call("GET /api/v1/audit-logs/checkpoint", { pending: 409 });
      expectMatch(
        "GET /api/v1/audit-logs/checkpoint: signature or code",
        checkpoint.body.signature ?? checkpoint.body.code,
        /^(?:[\w-]{86}|checkpoint_pending)$/,
      );
    },
  },
  {
    name: "members",
    title: "people are invited, get roles and teams, receive the workspace, leave and are removed",
    skip: needsSecondUser,
    operations: [
      "POST /team/{id}/invitations",
      "DELETE /team/{id}/invitations/{invitationId}",
      "POST /auth/invitations/accept",
      "POST /team/{id}/members",
      "PATCH /team/{id}/members/{userId}",
      "DELETE /team/{id}/members/{userId}",
      "PATCH /api/v1/workspace/members/{userId}",
      "DELETE /api/v1/workspace/members/{userId}",
      "POST /workspaces/{id}/leave",
      "POST /workspaces/{id}/transfer",
    ],
    async run(run) {
      const [owner, guest] = [await run.account(), await run.account()];
      const { id: userId } = guest;
      const stranger = { email: `smoke-${randomUUID()}@smoke.test`, role: "member" };
      const revoked = await owner.call("POST /team/{id}/invitations", {
        expect: 201,
        path: { id: owner.teamId },
        body: stranger,
      });
      const path = { id: owner.teamId, invitationId: revoked.body.id };
      await owner.call("DELETE /team/{id}/invitations/{invitationId}", { expect: 204, path });

      await join(run, owner, guest);
      const second = (await owner.call("POST /team", { expect: 201, body: { name: "Second" } })).body;
      await owner.call("POST /team/{id}/members", { path: { id: second.id }, body: { userId } });
      const member = { id: second.id, userId };
      const manager = await owner.call("PATCH /team/{id}/members/{userId}", {
        path: member,
        body: { role: "manager" },
      });
      expectEqual("PATCH /team/{id}/members/{userId}: role", manager.body.role, "manager");
      await owner.call("DELETE /team/{id}/members/{userId}", { expect: 204, path: member });

      const inWorkspace = { "x-workspace-id": owner.workspaceId };
      await guest.call("GET /api/v1/audit-logs", {
        headers: inWorkspace,
        expect: 403,
        code: "insufficient_role",
      });
      const suspend = (status: string) =>
        owner.call("PATCH /api/v1/workspace/members/{userId}", { path: { userId }, body: { status } });
      await suspend("suspended");
      await guest.call("GET /api/v1/workspace", {
        headers: inWorkspace,
        expect: 404,
        code: "workspace_not_found",
      });
      await suspend("active");

      const workspace = { id: owner.workspaceId };
      await owner.call("POST /workspaces/{id}/transfer", { path: workspace, body: { userId } });
      const back = { path: workspace, body: { userId: owner.id } };
      expectEqual(
        "POST …/transfer: role",
        (await guest.call("POST /workspaces/{id}/transfer", back)).body.role,
        "admin",
      );
      await guest.call("POST /workspaces/{id}/leave", { expect: 204, path: workspace });
      await guest.call("GET /api/v1/workspace", {
        headers: inWorkspace,
        expect: 404,
        code: "workspace_not_found",
      });

      await join(run, owner, guest);
      await owner.call("DELETE /api/v1/workspace/members/{userId}", { expect: 204, path: { userId } });
      await guest.call("GET /api/v1/workspace", {
        headers: inWorkspace,
        expect: 404,
        code: "workspace_not_found",
      });
    },
  },
];

/** Invites the guest to the owner's team and accepts with the emailed link. */
async function join({ stage }: Run, owner: Account, guest: Account): Promise<void> {
  await owner.call("POST /team/{id}/invitations", {
    expect: 201,
    path: { id: owner.teamId },
    body: { email: guest.email, role: "member" },
  });
  const { token } = await toolsOf(stage).link(guest.email, "accept-invitation");
  const { body } = await guest.call("POST /auth/invitations/accept", { body: { token } });
  expectEqual("POST /auth/invitations/accept: workspaceId", body.workspaceId, owner.workspaceId);
}
