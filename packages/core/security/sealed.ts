import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import * as Config from "../config/config.ts";

const algorithm = "aes-256-gcm";
const version = "v1";
const ivBytes = 12;
const tagBytes = 16;

/**
 * Encrypt what must be read again, as `v1.<key id>.<iv>.<ciphertext and tag>`. The context, such as the row and column that
 * it stands in, is authenticated with it: moved elsewhere it does not open.
 */
export function seal(
  plain: string,
  context: string,
  [key]: readonly Config.EncryptionKey[] = Config.encryptionKeys(),
): string {
  if (!key) throw new Error("Configuration: ENCRYPTION_KEYS must be set.");
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key.secret, iv).setAAD(Buffer.from(context));
  const content = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [version, key.id, iv.toString("base64url"), content.toString("base64url")].join(".");
}

/** What was sealed in this context. Throws when it was altered, stands elsewhere, or its key is not configured any more. */
export function open(
  sealed: string,
  context: string,
  keys: readonly Config.EncryptionKey[] = Config.encryptionKeys(),
): string {
  const [form, keyId, iv = "", content = "", ...rest] = sealed.split(".");
  if (form !== version || rest.length > 0) throw new Error("Not a sealed value.");
  const key = keys.find(({ id }) => id === keyId);
  if (!key) throw new Error("Configuration: ENCRYPTION_KEYS lacks the key that this value was sealed with.");
  const bytes = Buffer.from(content, "base64url");
  const decipher = createDecipheriv(algorithm, key.secret, Buffer.from(iv, "base64url"), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes));
  return decipher.update(bytes.subarray(0, -tagBytes), undefined, "utf8") + decipher.final("utf8");
}
