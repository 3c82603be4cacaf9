import { api } from "../../functions/http/api.ts";
import { workspace } from "../../functions/http/membership.ts";
import { signedIn } from "../../functions/http/signed-in.ts";
import { event } from "../../functions/testing/request.ts";
import { maxEntries } from "../core/identity/ip-allowlist/ip-allowlist.ts";
import { close, connect, db, postgres } from "../core/platform/db/engine.ts";
import { migrate } from "../core/platform/db/migrate.ts";
import { type Home, owner, type Person } from "../core/testing/people.ts";
import { administer, databaseUrl } from "../core/testing/setup-database.ts";
import { interleaved, table } from "./interleaved.ts";

const rounds = 1001;

const described = { summary: "Do nothing", returns: { 200: null } } as const;
const nothing = async () => ({});
const handlers = {
  "no guard": api(described).handler(nothing),
  "signedIn(): token and session": api(described).use(signedIn()).handler(nothing),
  "signedIn() and workspace(): membership, no IP allowlist": api(described)
    .use(signedIn())
    .use(workspace())
    .handler(nothing),
};

/** Measures the authorization steps of a request on PostgreSQL, around a handler that does nothing. */
export async function guard(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return "guard: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- guard)\n";
  const name = `svc_bench_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  connect(postgres(databaseUrl(server, name), 1));
  try {
    await migrate();
    const ada = await owner("Ada", "ENTERPRISE");
    const restricted = await owner("Bob", "ENTERPRISE");
    await storeLongestAllowlist(restricted.workspaceId);
    const requiring = await owner("Cy", "ENTERPRISE");
    await requireSecondFactor(requiring);
    // Any route that API tokens may read: `signedIn()` looks its caller up by the route key.
    const request = ({ token, workspaceId }: Person & Home) =>
      event("GET /api/v1/workspace", { token, headers: { "x-workspace-id": workspaceId } });
    const contenders = [];
    for (const [name, handler] of Object.entries(handlers))
      contenders.push(contender(name, handler, await request(ada)));
    const guarded = handlers["signedIn() and workspace(): membership, no IP allowlist"];
    contenders.push(
      contender(`the same with an IP allowlist of ${maxEntries} ranges`, guarded, await request(restricted)),
      contender(
        "the same without an IP allowlist, with a required second factor",
        guarded,
        await request(requiring),
      ),
      contender(
        "the same without X-Workspace-Id, in the user’s first workspace",
        guarded,
        await event("GET /api/v1/workspace", { token: ada.token }),
      ),
    );
    const rows = await interleaved(contenders, rounds);
    const [without = 0, session = 0, membership = 0, list = 0, factor = 0] = rows.map(
      ({ medianMs }) => medianMs,
    );
    return [
      table("Authorization steps of a request on PostgreSQL, around a handler that does nothing", rows),
      `The session adds ${(session - without).toFixed(2)} ms, the membership ${(membership - session).toFixed(2)} ms, the longest IP allowlist ${(list - membership).toFixed(2)} ms, a required second factor ${(factor - membership).toFixed(2)} ms.\n`,
    ].join("\n");
  } finally {
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

function contender(
  name: string,
  handler: (typeof handlers)["no guard"],
  request: Awaited<ReturnType<typeof event>>,
) {
  return {
    name,
    async run() {
      const { statusCode } = await handler(request, { getRemainingTimeInMillis: () => 30_000 } as never);
      if (statusCode !== 200) throw new Error(`${name} returned ${statusCode}.`);
    },
  };
}

/** Stores an IP allowlist of the maximum length whose last entry is the caller's IP address. */
async function storeLongestAllowlist(workspaceId: string): Promise<void> {
  const cidr = (at: number) => (at === maxEntries - 1 ? "127.0.0.1" : `10.${at}.0.0/16`);
  const entries = Array.from({ length: maxEntries }, (_, at) => ({ cidr: cidr(at), label: "" }));
  await db()
    .insertInto("ip_allowlists")
    .values({
      workspace_id: workspaceId,
      enabled: true,
      entries: JSON.stringify(entries),
      updated_at: new Date(),
    })
    .execute();
}

/** Makes a workspace require a second factor, and gives its owner a security key, which the statement looks for last. */
async function requireSecondFactor({ id, workspaceId }: Person & Home): Promise<void> {
  await db()
    .updateTable("workspaces")
    .set({ require_two_factor: true })
    .where("id", "=", workspaceId)
    .execute();
  await db()
    .insertInto("webauthn_credentials")
    .values({
      id: `key_${id}`,
      user_id: id,
      credential_id: id,
      public_key: "",
      counter: 0n,
      transports: "usb",
      name: "Key",
      created_at: new Date(),
    })
    .execute();
}
