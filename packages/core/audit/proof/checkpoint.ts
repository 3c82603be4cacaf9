import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { type Selectable, sql } from "kysely";
import * as z from "zod/mini";
import { Fault } from "../../base/fault.ts";
import { Id } from "../../base/id.ts";
import { Instant } from "../../base/instant.ts";
import type { AuditKey } from "../../platform/config/config.ts";
import { db, type Reader, type Tx } from "../../platform/db/engine.ts";
import type { AuditCheckpoints } from "../../platform/db/schema.ts";
import type { Membership } from "../../workspace/authorization.ts";
import { canonical } from "./hashes.ts";

/** A signed statement about the chain of a workspace's audit log. Anyone who keeps it can later compare the log with it. */
export const View = z.object({
  workspaceId: Id,
  /** Number of the last entry that the checkpoint covers. */
  sequence: z.int(),
  /** Base64url hash of that entry's link. */
  hash: z.string(),
  at: Instant,
  /** The retention has deleted entries from before this time. Null if it never ran. */
  purgedBefore: z.nullable(Instant),
  keyId: z.string(),
  /** The 32 bytes of the Ed25519 public key in base64url. */
  publicKey: z.string(),
  /** Base64url Ed25519 signature of the canonical JSON of all other members except `publicKey`, and of `type`. */
  signature: z.string(),
});
export type View = z.infer<typeof View>;

/** The end of a chain. */
export type Head = { workspaceId: string; sequence: number; hash: string };

type Statement = Omit<View, "publicKey" | "signature">;

/** Separates these signatures from others that a key might make. */
const type = "svc audit log checkpoint 1";

/** DER of a PKCS #8 Ed25519 key up to the 32 bytes of the seed (RFC 8410, section 7). */
const privateKeyPrefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** Signs the end of a chain. */
export function signed(key: AuditKey, head: Head, purgedBefore: Date | null, at: Date): View {
  return signerOf(key)(head, purgedBefore, at);
}

type Signer = (head: Head, purgedBefore: Date | null, at: Date) => View;

/** Returns a function that signs. Loading the key takes longer than a signature. */
function signerOf({ id: keyId, secret }: AuditKey): Signer {
  const key = privateKey(secret);
  const publicKey = publicKeyOf(key);
  return (head, purgedBefore, at) => {
    const statement: Statement = {
      ...head,
      at: at.toISOString(),
      purgedBefore: purgedBefore?.toISOString() ?? null,
      keyId,
    };
    const signature = sign(null, messageOf(statement), key).toString("base64url");
    return { ...statement, publicKey, signature };
  };
}

/** Returns whether the signature was made with this base64url public key. False for a malformed key or signature. */
export function isSignedBy(publicKey: string, { publicKey: _, signature, ...statement }: View): boolean {
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: publicKey }, format: "jwk" });
    return verify(null, messageOf(statement), key, Buffer.from(signature, "base64url"));
  } catch {
    return false;
  }
}

/** Returns the base64url public key of a signing key. */
export function publicKeyOfSecret({ secret }: AuditKey): string {
  return publicKeyOf(privateKey(secret));
}

function privateKey(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privateKeyPrefix, secret]), format: "der", type: "pkcs8" });
}

function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: "jwk" }).x ?? "";
}

function messageOf(statement: Statement): Buffer {
  return Buffer.from(canonical({ type, ...statement }));
}

/** Stores the day's checkpoint of each chain, which replaces an earlier one of the same UTC day. Does nothing without a key. */
export async function storeAll(
  tx: Tx,
  [key]: readonly AuditKey[],
  heads: readonly Head[],
  purgedBefore: Date | null,
  now: Date,
): Promise<void> {
  if (!key) return;
  const signer = signerOf(key);
  const views = heads.map((head) => signer(head, purgedBefore, now));
  const texts = (value: (view: View) => string) => sql`${views.map(value)}::text[]`;
  await sql`
    INSERT INTO audit_checkpoints (workspace_id, day, sequence, hash, at, purged_before, key_id, public_key, signature)
    SELECT head.workspace_id, ${now.toISOString().slice(0, 10)}::text, head.sequence, head.hash, ${now}::timestamptz,
      ${purgedBefore}::timestamptz, head.key_id, head.public_key, head.signature
    FROM unnest(${texts(({ workspaceId }) => workspaceId)}, ${views.map(({ sequence }) => sequence)}::bigint[],
      ${texts(({ hash }) => hash)}, ${texts(({ keyId }) => keyId)}, ${texts(({ publicKey }) => publicKey)},
      ${texts(({ signature }) => signature)}
    ) AS head (workspace_id, sequence, hash, key_id, public_key, signature)
    ON CONFLICT (workspace_id, day) DO UPDATE SET sequence = EXCLUDED.sequence, hash = EXCLUDED.hash, at = EXCLUDED.at,
      purged_before = EXCLUDED.purged_before, key_id = EXCLUDED.key_id, public_key = EXCLUDED.public_key,
      signature = EXCLUDED.signature
  `.execute(tx);
}

/** Returns the latest checkpoint of a workspace, if there is one. */
export async function latest(reader: Reader, workspaceId: string): Promise<View | undefined> {
  const row = await reader
    .selectFrom("audit_checkpoints")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .orderBy("day", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && viewOf(row);
}

/** Returns the latest checkpoint of the workspace. Throws `conflict` `checkpoint_pending` if there is none yet. */
export async function get({ workspaceId }: Membership): Promise<View> {
  const checkpoint = await latest(db(), workspaceId);
  if (checkpoint) return checkpoint;
  throw new Fault(
    "conflict",
    "checkpoint_pending",
    "The audit log has no signed checkpoint yet. The first one follows within 40 minutes after the first entry, if signing is configured.",
  );
}

export function viewOf(row: Selectable<AuditCheckpoints>): View {
  return {
    workspaceId: row.workspace_id,
    sequence: Number(row.sequence),
    hash: row.hash,
    at: row.at.toISOString(),
    purgedBefore: row.purged_before?.toISOString() ?? null,
    keyId: row.key_id,
    publicKey: row.public_key,
    signature: row.signature,
  };
}
