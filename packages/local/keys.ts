import { randomBytes, randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "@svc/core/base/fault";
import * as z from "zod/mini";

const Keys = z.object({
  /** Value of TOKEN_KEYS. */
  tokenKeys: z.string(),
  /** Value of ENCRYPTION_KEYS. */
  encryptionKeys: z.string(),
  /** Value of AUDIT_KEYS. Empty in files of versions that did not sign checkpoints. */
  auditKeys: z._default(z.string(), ""),
  storage: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  /** Port of the bucket, reused after a restart if possible because every signed URL contains it. */
  bucketPort: z.number(),
});

export type Keys = z.infer<typeof Keys>;

/**
 * Reads the keys from keys.json in this directory, or creates the file with random keys that only its owner can read. The keys
 * keep sessions, second factors and signed URLs valid across restarts. Throws `invalid` `keys_unreadable` if the file is
 * damaged.
 */
export async function openKeys(directory: string): Promise<Keys> {
  const path = join(directory, "keys.json");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text !== undefined) {
    const keys = parseKeys(text, path);
    if (keys.auditKeys) return keys;
    const completed = { ...keys, auditKeys: newKey() };
    await saveKeys(directory, completed);
    return completed;
  }
  const keys: Keys = {
    tokenKeys: newKey(),
    encryptionKeys: newKey(),
    auditKeys: newKey(),
    storage: {
      accessKeyId: `LOCAL${randomBytes(8).toString("hex").toUpperCase()}`,
      secretAccessKey: randomBytes(30).toString("base64url"),
    },
    bucketPort: 0,
  };
  await saveKeys(directory, keys);
  return keys;
}

function newKey(): string {
  return `local:${randomBytes(32).toString("base64url")}`;
}

/** Writes keys.json through a temporary file and a rename, so that the file is complete at any time. */
export async function saveKeys(directory: string, keys: Keys): Promise<void> {
  const temporary = join(directory, `keys.${randomUUID()}.tmp`);
  await writeFile(temporary, JSON.stringify(keys, undefined, 2), { mode: 0o600, flag: "wx" });
  await rename(temporary, join(directory, "keys.json"));
}

function parseKeys(text: string, path: string): Keys {
  try {
    return Keys.parse(JSON.parse(text));
  } catch (cause) {
    throw new Fault(
      "invalid",
      "keys_unreadable",
      `${path} is damaged. Delete it to start with new keys. All users then have to sign in again and set up their authenticator apps again.`,
      { cause },
    );
  }
}
