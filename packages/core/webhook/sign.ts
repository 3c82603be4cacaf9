import { createHmac, randomBytes } from "node:crypto";

/** How long the previous secret keeps signing beside the new one after a rotation. */
export const overlapHours = 24;

const prefix = "whsec_";

/** Generates a Standard Webhooks secret: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return prefix + randomBytes(32).toString("base64");
}

/**
 * Computes the `webhook-signature` header of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, once
 * per secret, separated by spaces. `timestamp` is in whole seconds since 1970.
 */
export function signature(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), "base64");
      return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
    })
    .join(" ");
}
