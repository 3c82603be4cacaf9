import { createHash } from "node:crypto";
import { checkAll } from "@svc/core/audit/proof/check";
import * as Checkpoint from "@svc/core/audit/proof/checkpoint";
import * as Clock from "@svc/core/base/clock";
import * as Config from "@svc/core/platform/config/config";
import { sealedColumns } from "@svc/core/platform/crypto/sealed-columns";
import { db } from "@svc/core/platform/db/engine";
import * as JobCursor from "@svc/core/platform/db/job-cursor";
import { withApp } from "@svc/core/testing/factors";
import { type Home, owner, type Person, password, person } from "@svc/core/testing/people";
import { listen } from "@svc/local/bucket/bucket";
import { startBucket, type TestBucket } from "@svc/local/testing/bucket";
import { sql } from "kysely";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailServer } from "../testing/mails.ts";
import { form, request } from "../testing/request.ts";
import { handler as chain } from "./chain-audit-logs.ts";
import { handler as reseal } from "./reseal-secrets.ts";

// Rehearses the key rotations of docs/operations.md: each key changes as described there, without an interruption for users.
mailServer();
const names = [
  "TOKEN_KEYS",
  "ENCRYPTION_KEYS",
  "AUDIT_KEYS",
  "ORIGIN_SECRET",
  "STORAGE_ACCESS_KEY_ID",
  "STORAGE_SECRET_ACCESS_KEY",
] as const;
let before: NodeJS.ProcessEnv;
let bucket: TestBucket;
beforeAll(async () => {
  bucket = await startBucket();
});
afterAll(() => bucket.close());
beforeEach(() => {
  before = { ...process.env };
});
afterEach(() => {
  for (const name of names)
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  Clock.reset();
});

const key = (id: string) => `${id}:${createHash("sha256").update(id).digest("base64url")}`;
const me = async (token: string) => (await request("GET /auth/me", { token })).status;
const login = async ({ email }: Person) =>
  (await request("POST /auth/login", { body: { email, password } })).body;

describe("TOKEN_KEYS", () => {
  test("accepts tokens of the previous key only while that key is listed", async () => {
    process.env.TOKEN_KEYS = key("old");
    const ada = await person();
    expect(await me(ada.token)).toBe(200);

    process.env.TOKEN_KEYS = `${key("new")},${key("old")}`;
    expect(await me(ada.token)).toBe(200);
    const { token } = await login(ada);
    expect(JSON.parse(Buffer.from(token.split(".")[0], "base64url").toString()).kid).toBe("new");

    process.env.TOKEN_KEYS = key("new");
    expect([await me(ada.token), await me(token)]).toEqual([401, 200]);
  });
});

describe("ENCRYPTION_KEYS", () => {
  const second = async (user: Person, code: string) => {
    const { mfaToken } = await login(user);
    return (await request("POST /auth/login/2fa", { body: { mfaToken, method: "totp", code } })).status;
  };

  test("decrypts secrets of the previous key and re-encrypts them, so that the key can be removed", async () => {
    process.env.ENCRYPTION_KEYS = key("old");
    const ada = await person();
    const app = await withApp(ada);

    process.env.ENCRYPTION_KEYS = `${key("new")},${key("old")}`;
    Clock.advance(30);
    expect(await second(ada, app.code())).toBe(200);
    const grace = await person("Grace");
    const gracesApp = await withApp(grace);

    // Only the secret of the previous key is re-encrypted.
    expect(await reseal()).toEqual({ resealed: 1, failed: 0 });
    expect(await reseal()).toEqual({ resealed: 0, failed: 0 });

    process.env.ENCRYPTION_KEYS = key("new");
    Clock.advance(30);
    expect(await second(ada, app.code())).toBe(200);
    expect(await second(grace, gracesApp.code())).toBe(200);
  });

  test("counts secrets that no key decrypts and leaves them unchanged", async () => {
    await db().deleteFrom("totp_factors").execute();
    process.env.ENCRYPTION_KEYS = key("lost");
    const ada = await person();
    await withApp(ada);
    const sealed = () =>
      db()
        .selectFrom("totp_factors")
        .select("secret_sealed")
        .where("user_id", "=", ada.id)
        .executeTakeFirstOrThrow();
    const original = await sealed();
    process.env.ENCRYPTION_KEYS = key("new");
    expect(await reseal()).toEqual({ resealed: 0, failed: 1 });
    expect(await sealed()).toEqual(original);
  });

  test("finds encrypted values only in the columns that the job re-encrypts", async () => {
    process.env.ENCRYPTION_KEYS = key("everything-sealed");
    const { everyCall } = await import("../testing/calls.ts");
    for (const [, route, make] of everyCall) await request(route, { ip: "10.1.2.3", ...(await make()) });
    const { rows } = await sql<{ table: string; column: string }>`
      SELECT table_name AS table, column_name AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type IN ('text', 'json', 'jsonb')`.execute(db());
    const found: string[] = [];
    for (const { table, column } of rows) {
      const sealed = await sql`SELECT 1 FROM ${sql.table(table)}
        WHERE ${sql.ref(column)}::text LIKE '%everything-sealed.%' LIMIT 1`.execute(db());
      if (sealed.rows.length > 0) found.push(`${table}.${column}`);
    }
    expect(found.sort()).toEqual(sealedColumns.map(({ table, column }) => `${table}.${column}`).sort());
  }, 60_000);
});

describe("AUDIT_KEYS", () => {
  // Each test begins earlier than the last entry that the one before has chained.
  beforeEach(() => JobCursor.store("chain-audit-logs", ""));

  const day = 86_400;
  const context = { awsRequestId: "run", getRemainingTimeInMillis: () => 900_000 } as never;

  /** Writes an entry, chains it on the next day, and returns the checkpoint. */
  const nextCheckpoint = async ({ token }: Person, name: string): Promise<Checkpoint.View> => {
    await request("POST /api/v1/projects", { token, body: { name } });
    Clock.advance(day);
    await chain({}, context);
    return (await request("GET /api/v1/audit-logs/checkpoint", { token })).body;
  };
  const problems = async ({ workspaceId }: Home) =>
    (await checkAll(Config.auditKeys(), { workspaceId })).problems;

  test("checkpoints of the previous key verify while it is listed and afterwards, and the new key signs", async () => {
    process.env.AUDIT_KEYS = key("old");
    const ada = await owner("Ada", "ENTERPRISE");
    const first = await nextCheckpoint(ada, "Loom");

    process.env.AUDIT_KEYS = `${key("new")},${key("old")}`;
    const second = await nextCheckpoint(ada, "Engine");
    expect([first.keyId, second.keyId]).toEqual(["old", "new"]);
    expect(await problems(ada)).toBe(0);

    process.env.AUDIT_KEYS = key("new");
    const third = await nextCheckpoint(ada, "Mill");
    expect([third.keyId, third.publicKey]).toEqual(["new", second.publicKey]);
    expect(await problems(ada)).toBe(0);
    for (const checkpoint of [first, second, third])
      expect(Checkpoint.isSignedBy(checkpoint.publicKey, checkpoint)).toBe(true);
  });

  test("a removed key signs no checkpoint after those of a listed key", async () => {
    process.env.AUDIT_KEYS = key("old");
    const ada = await owner("Ada", "ENTERPRISE");
    await nextCheckpoint(ada, "Loom");
    const [old] = Config.auditKeys() as [Config.AuditKey];
    process.env.AUDIT_KEYS = key("new");
    await nextCheckpoint(ada, "Engine");
    const { workspaceId, sequence, hash, at } = await nextCheckpoint(ada, "Mill");
    const forged = Checkpoint.signed(old, { workspaceId, sequence, hash }, null, new Date(at));
    await db()
      .updateTable("audit_checkpoints")
      .set({ key_id: "old", public_key: forged.publicKey, signature: forged.signature })
      .where("workspace_id", "=", workspaceId)
      .where("day", "=", at.slice(0, 10))
      .execute();
    expect(await problems(ada)).toBe(1);
    process.env.AUDIT_KEYS = `${key("new")},${key("old")}`;
    expect(await problems(ada)).toBe(0);
  });
});

describe("ORIGIN_SECRET", () => {
  const [old, fresh] = ["the previous secret of the router", "the next secret of the router!!!"];
  const both = `${fresh},${old}`;
  const [viewerIp, routerIp] = ["192.0.2.10", "198.51.100.1"];

  /** Starts with an owner whose workspace accepts requests only from the viewer's IP address. */
  const guarded = async () => {
    process.env.ORIGIN_SECRET = old;
    const ada = await owner("Ada", "ENTERPRISE");
    const body = { enabled: true, entries: [{ cidr: "192.0.2.0/24", label: "" }] };
    const headers = { "x-viewer-ip": viewerIp, "x-origin-secret": old };
    await request("PUT /api/v1/security/ip-allowlist", { token: ada.token, body, headers });
    return ada;
  };
  /** Calls a function that knows `known` through a router that sends `sent`. */
  const call = async ({ token }: Person, sent: string, known: string) => {
    process.env.ORIGIN_SECRET = known;
    const headers = { "x-viewer-ip": viewerIp, "x-origin-secret": sent };
    return (await request("GET /team", { token, ip: routerIp, headers })).status;
  };

  test("is accepted during both deployments, whether the router or the functions change first", async () => {
    const ada = await guarded();
    const steps = [
      { deployed: old, deploying: both },
      { deployed: both, deploying: fresh },
    ];
    for (const { deployed, deploying } of steps)
      for (const sent of [deployed, deploying])
        for (const known of [deployed, deploying])
          expect([sent, known, await call(ada, sent, known)]).toEqual([sent, known, 200]);
  });

  test("is rejected once it is no longer listed", async () => {
    const ada = await guarded();
    expect(await call(ada, old, fresh)).toBe(403);
    expect(await call(ada, `${old},`, fresh)).toBe(403);
    expect(await call(ada, fresh, fresh)).toBe(200);
  });
});

describe("STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY", () => {
  test("serves URLs of the previous key until that key is deactivated", async () => {
    const [old, fresh] = [
      { accessKeyId: "AKIAOLD", secretAccessKey: "the previous key" },
      { accessKeyId: "AKIANEW", secretAccessKey: "the next key" },
    ];
    const { STORAGE_ENDPOINT } = process.env;
    const { mkdtemp, rm } = await import("node:fs/promises");
    const { tmpdir } = await import("node:os");
    const directory = await mkdtemp(`${tmpdir()}/svc-rotation-`);
    const openStore = async (credentials: (typeof old)[], port = 0) => {
      const store = await listen({
        directory,
        port,
        region: "eu-central-2",
        buckets: ["svc-avatars"],
        credentials,
      });
      process.env.STORAGE_ENDPOINT = store.url;
      return store;
    };
    const useKey = ({ accessKeyId, secretAccessKey }: typeof old) => {
      process.env.STORAGE_ACCESS_KEY_ID = accessKeyId;
      process.env.STORAGE_SECRET_ACCESS_KEY = secretAccessKey;
    };
    const shown = async ({ token }: Person) => (await request("GET /auth/me", { token })).body.avatar;
    const status = async (url: string) => (await fetch(url, { headers: { connection: "close" } })).status;
    try {
      let store = await openStore([old]);
      useKey(old);
      const ada = await person();
      const photo = await sharp({ create: { width: 9, height: 9, channels: 3, background: "#39c" } })
        .png()
        .toBuffer();
      await request("POST /api/upload/avatar", { token: ada.token, form: form(photo) });
      const first = await shown(ada);

      // The next key is deployed beside the old one and signs new URLs.
      await store.close();
      store = await openStore([old, fresh], store.port);
      useKey(fresh);
      const next = await shown(ada);
      expect(next).toContain("AKIANEW");
      expect([await status(first), await status(next)]).toEqual([200, 200]);

      // Seven days later, all URLs of the old key have expired, so it is deactivated.
      await store.close();
      store = await openStore([fresh], store.port);
      expect([await status(first), await status(next)]).toEqual([403, 200]);
      await store.close();
    } finally {
      process.env.STORAGE_ENDPOINT = STORAGE_ENDPOINT;
      await rm(directory, { recursive: true, force: true });
    }
  });
});
