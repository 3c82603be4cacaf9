import { api } from "../../functions/http/api.ts";
import { workspace } from "../../functions/http/membership.ts";
import { signedIn } from "../../functions/http/signed-in.ts";
import { event } from "../../functions/testing/request.ts";
import { maxEntries } from "../core/identity/ip-allowlist/ip-allowlist.ts";
import { close, connect, db, postgres } from "../core/platform/db/engine.ts";
import { migrate } from "../core/platform/db/migrate.ts";
import { owner } from "../core/testing/people.ts";
import { administer, databaseUrl } from "../core/testing/setup-database.ts";
import { interleaved, table } from "./interleaved.ts";

const rounds = 1001;

const described = { summary: "Nothing", returns: { 200: null } } as const;
const nothing = async () => ({});
const handlers = {
  "no guard": api(described).handler(nothing),
  "signedIn(): token and session": api(described).use(signedIn()).handler(nothing),
  "and workspace(): membership, no address list": api(described)
    .use(signedIn())
    .use(workspace())
    .handler(nothing),
};

/** What the guards of a request cost on PostgreSQL: the same handler with nothing to do, without them and with each. */
export async function guard(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return "guard: needs TEST_DATABASE_URL (.ci/with-postgres npm run bench -- guard)\n";
  const name = `svc_bench_${process.pid}`;
  await administer(server, `CREATE DATABASE ${name}`);
  connect(postgres(databaseUrl(server, name), 1));
  try {
    await migrate();
    const [open, listed] = [await owner("Ada", "ENTERPRISE"), await owner("Bob", "ENTERPRISE")];
    await longList(listed.workspaceId);
    const asked = (token?: string) => event("GET /x", token ? { token } : {});
    const contenders = [];
    for (const [name, handler] of Object.entries(handlers))
      contenders.push(contender(name, handler, await asked(open.token)));
    const withList = handlers["and workspace(): membership, no address list"];
    contenders.push(
      contender(`the same with a list of ${maxEntries} ranges`, withList, await asked(listed.token)),
    );
    const rows = await interleaved(contenders, rounds);
    const [without = 0, session = 0, membership = 0, list = 0] = rows.map(({ medianMs }) => medianMs);
    return [
      table("The guards of a request on PostgreSQL, around a handler that does nothing", rows),
      `The session adds ${(session - without).toFixed(2)} ms, the membership ${(membership - session).toFixed(2)} ms, the longest address list ${(list - membership).toFixed(2)} ms.\n`,
    ].join("\n");
  } finally {
    await close();
    await administer(server, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

function contender(
  name: string,
  handler: (typeof handlers)["no guard"],
  asked: Awaited<ReturnType<typeof event>>,
) {
  return {
    name,
    async run() {
      const { statusCode } = await handler(asked, { getRemainingTimeInMillis: () => 30_000 } as never);
      if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}`);
    },
  };
}

/** As long as a list may be, and the caller's address the last on it. */
async function longList(workspaceId: string): Promise<void> {
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
