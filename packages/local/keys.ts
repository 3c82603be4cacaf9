import { randomBytes, randomUUID } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "@svc/core/base/fault";
import * as z from "zod/mini";

const Keys = z.object({
  /** TOKEN_KEYS */
  tokenKeys: z.string(),
  /** ENCRYPTION_KEYS */
  encryptionKeys: z.string(),
  storage: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
  /** The bucket's address is part of every signed URL, so a restart takes the same port again when it can. */
  bucketPort: z.number(),
});

export type Keys = z.infer<typeof Keys>;

/**
 * What must survive a restart for sessions, second factors and signed URLs to stay good: made at random once, then read from keys.json
 * in this directory, which only its owner can read. Throws a fault `keys_unreadable` when the file is not as it was.
 */
export async function openKeys(directory: string): Promise<Keys> {
  const path = join(directory, "keys.json");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text !== undefined) return parsed(text, path);
  const keys: Keys = {
    tokenKeys: `local:${randomBytes(32).toString("base64url")}`,
    encryptionKeys: `local:${randomBytes(32).toString("base64url")}`,
    storage: {
      accessKeyId: `LOCAL${randomBytes(8).toString("hex").toUpperCase()}`,
      secretAccessKey: randomBytes(30).toString("base64url"),
    },
    bucketPort: 0,
  };
  await keep(directory, keys);
  return keys;
}

/** Written aside and renamed, so that the file is whole at any moment. */
export async function keep(directory: string, keys: Keys): Promise<void> {
  const aside = join(directory, `keys.${randomUUID()}.tmp`);
  await writeFile(aside, JSON.stringify(keys, undefined, 2), { mode: 0o600, flag: "wx" });
  await rename(aside, join(directory, "keys.json"));
}

function parsed(text: string, path: string): Keys {
  try {
    return Keys.parse(JSON.parse(text));
  } catch (cause) {
    throw new Fault(
      "invalid",
      "keys_unreadable",
      `${path} is damaged. Remove it to start with new keys: everybody logs in again, and authenticator apps have to be set up anew.`,
      { cause },
    );
  }
}
