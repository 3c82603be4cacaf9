import * as z from "zod/mini";
import { Id } from "../../base/id.ts";
import { Instant } from "../../base/instant.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import { hasSecondFactor } from "../../workspace/second-factor.ts";

/** Methods for the second step of a sign-in. */
export const methods = ["totp", "webauthn", "backup_code"] as const;
export type Method = (typeof methods)[number];

/** Kinds of WebAuthn credentials. Both are second factors, and a passkey also signs in alone. */
export const kinds = ["passkey", "security_key"] as const;
export type Kind = (typeof kinds)[number];

/** A WebAuthn credential. `credentialId` is the id that its authenticator chose. */
export const Key = z.object({
  id: Id,
  kind: z.enum(kinds),
  credentialId: z.string(),
  name: z.string(),
  createdAt: Instant,
  lastUsedAt: z.nullable(Instant),
});
export type Key = z.infer<typeof Key>;

export const Overview = z.object({
  enabled: z.boolean(),
  methods: z.array(z.enum(methods)),
  totp: z.object({ enabled: z.boolean(), enabledAt: z.nullable(Instant) }),
  webauthn: z.array(Key),
  backupCodesLeft: z.int(),
});
export type Overview = z.infer<typeof Overview>;

/** Returns the user's second factors, without any secrets. */
export async function overview(userId: string): Promise<Overview> {
  const [totp, webauthn, backupCodesLeft] = await Promise.all([
    db()
      .selectFrom("totp_factors")
      .select("confirmed_at")
      .where("user_id", "=", userId)
      .where("confirmed_at", "is not", null)
      .executeTakeFirst(),
    keys(userId),
    codesLeft(db(), userId),
  ]);
  const found = { totp: totp !== undefined, webauthn: webauthn.length > 0, codes: backupCodesLeft > 0 };
  return {
    enabled: found.totp || found.webauthn,
    methods: usable(found),
    totp: { enabled: found.totp, enabledAt: totp?.confirmed_at?.toISOString() ?? null },
    webauthn,
    backupCodesLeft,
  };
}

/** Lists the user's WebAuthn credentials, oldest first. */
export async function keys(userId: string): Promise<Key[]> {
  const rows = await db()
    .selectFrom("webauthn_credentials")
    .select(["id", "discoverable", "credential_id", "name", "created_at", "last_used_at"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: kindOf(row),
    credentialId: row.credential_id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }));
}

/** Returns the kind of a stored credential. Those from before passkeys signed in alone remain second factors. */
export function kindOf({ discoverable }: { discoverable: boolean | null }): Kind {
  return discoverable ? "passkey" : "security_key";
}

/** Returns the methods the user can use for the second step, or none if two-factor authentication is off. Runs one query. */
export async function methodsOf(reader: Reader, userId: string): Promise<Method[]> {
  const found = await reader
    .selectNoFrom((select) => [
      select
        .exists(
          select
            .selectFrom("totp_factors")
            .select("user_id")
            .where("user_id", "=", userId)
            .where("confirmed_at", "is not", null),
        )
        .as("totp"),
      select
        .exists(select.selectFrom("webauthn_credentials").select("id").where("user_id", "=", userId))
        .as("webauthn"),
      select
        .exists(select.selectFrom("backup_codes").select("user_id").where("user_id", "=", userId))
        .as("codes"),
    ])
    .executeTakeFirstOrThrow();
  return usable({
    totp: Boolean(found.totp),
    webauthn: Boolean(found.webauthn),
    codes: Boolean(found.codes),
  });
}

/** Returns whether the user has two-factor authentication on. */
export async function enabled(reader: Reader, userId: string): Promise<boolean> {
  const { found } = await reader.selectNoFrom(hasSecondFactor(userId).as("found")).executeTakeFirstOrThrow();
  return Boolean(found);
}

/** Deletes all of the user's factors, backup codes, challenges and password reset links. */
export async function removeAll(tx: Tx, userId: string): Promise<void> {
  for (const table of [
    "totp_factors",
    "webauthn_credentials",
    "webauthn_challenges",
    "backup_codes",
    "backup_code_sets",
    "password_resets",
  ] as const)
    await tx.deleteFrom(table).where("user_id", "=", userId).execute();
}

function usable({ totp, webauthn, codes }: { totp: boolean; webauthn: boolean; codes: boolean }): Method[] {
  // Backup codes replace a lost factor; they are not a factor themselves.
  if (!totp && !webauthn) return [];
  return methods.filter((method) => ({ totp, webauthn, backup_code: codes })[method]);
}

/** Counts the user's unused backup codes. */
export async function codesLeft(reader: Reader, userId: string): Promise<number> {
  const { left } = await reader
    .selectFrom("backup_codes")
    .select(({ fn }) => fn.countAll<bigint>().as("left"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(left);
}
