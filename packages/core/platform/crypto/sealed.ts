import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import * as Config from "../config/config.ts";

const algorithm = "aes-256-gcm";
const ivLength = 12;
const tagLength = 16;

/**
 * A secret that must be read again, as it may lie in the database: AES-256-GCM, `keyId.base64url(iv, text, tag)`. `context`
 * says what it is and whose, and is authenticated with it, so that a sealed text moved to another row does not open.
 */
export function seal(
  text: string,
  context: string,
  keys: readonly Config.EncryptionKey[] = Config.encryptionKeys(),
): string {
  const [key] = keys;
  if (!key) throw new Error("Configuration: ENCRYPTION_KEYS must be set.");
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, key.secret, iv, { authTagLength: tagLength });
  cipher.setAAD(authenticated(key.id, context));
  const parts = [iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return `${key.id}.${Buffer.concat(parts).toString("base64url")}`;
}

/** What was sealed in this context. Throws an Error, a bug or a lost key, when it was not, or its key is no longer configured. */
export function open(
  sealed: string,
  context: string,
  keys: readonly Config.EncryptionKey[] = Config.encryptionKeys(),
): string {
  const [id = "", encoded = ""] = sealed.split(".");
  const key = keys.find((candidate) => candidate.id === id);
  if (!key) throw new Error(`A sealed value needs the key "${id}", which is not in ENCRYPTION_KEYS.`);
  const bytes = Buffer.from(encoded, "base64url");
  const decipher = createDecipheriv(algorithm, key.secret, bytes.subarray(0, ivLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(authenticated(id, context));
  decipher.setAuthTag(bytes.subarray(-tagLength));
  return decipher.update(bytes.subarray(ivLength, -tagLength), undefined, "utf8") + decipher.final("utf8");
}

function authenticated(keyId: string, context: string): Buffer {
  return Buffer.from(`${keyId}.${context}`);
}
