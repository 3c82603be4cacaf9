import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import * as Config from "../config/config.ts";

const algorithm = "aes-256-gcm";
const ivLength = 12;
const tagLength = 16;

/**
 * Encrypts a secret for the database with AES-256-GCM, as `keyId.base64url(iv, text, tag)`. `context` names the kind and the
 * owner of the secret. It is authenticated data, so a value that is moved to another row cannot be decrypted.
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
  cipher.setAAD(authenticatedData(key.id, context));
  const parts = [iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return `${key.id}.${Buffer.concat(parts).toString("base64url")}`;
}

/** Decrypts a value of `seal`. Throws an Error if the context differs, the value was changed, or its key is not configured. */
export function open(
  sealed: string,
  context: string,
  keys: readonly Config.EncryptionKey[] = Config.encryptionKeys(),
): string {
  const [id = "", encoded = ""] = sealed.split(".");
  const key = keys.find((candidate) => candidate.id === id);
  if (!key) throw new Error(`The encryption key "${id}" is not in ENCRYPTION_KEYS.`);
  const bytes = Buffer.from(encoded, "base64url");
  const decipher = createDecipheriv(algorithm, key.secret, bytes.subarray(0, ivLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(authenticatedData(id, context));
  decipher.setAuthTag(bytes.subarray(-tagLength));
  return decipher.update(bytes.subarray(ivLength, -tagLength), undefined, "utf8") + decipher.final("utf8");
}

function authenticatedData(keyId: string, context: string): Buffer {
  return Buffer.from(`${keyId}.${context}`);
}
