import type { webhooks } from "./generated.ts";

type Body<Webhook> = Webhook extends {
  post: { requestBody: { content: { "application/json": infer Event } } };
}
  ? Event
  : never;

/** The body of a webhook request: one of the events in the `webhooks` section of the OpenAPI document. Switch on `type`. */
export type WebhookEvent = { [Type in keyof webhooks]: Body<webhooks[Type]> }[keyof webhooks];

/** Header values as Fetch (`Headers`), Node (`request.headers`) or AWS Lambda (`event.headers`) has them. */
type HeaderSource = { get(name: string): string | null } | HeaderRecord;
type HeaderRecord = Partial<Record<string, string | readonly string[]>>;

export type WebhookRequest = {
  /** The secret of the webhook, `whsec_…`. */
  secret: string;
  headers: HeaderSource;
  /** The body as it was received. A body that was parsed and serialized again has another signature. */
  body: string | Uint8Array;
  /** How far the timestamp may differ from now, against replayed requests. 300 by default. */
  toleranceSeconds?: number;
  now?: Date;
};

/** A request that is not a webhook of this secret. Answer with 400. */
export class WebhookError extends Error {
  readonly code: "header_missing" | "timestamp_invalid" | "signature_invalid";

  constructor(code: WebhookError["code"], message: string) {
    super(message);
    this.name = "WebhookError";
    this.code = code;
  }
}

/**
 * Verifies a webhook request as Standard Webhooks defines it (https://www.standardwebhooks.com), and returns its event. Accepts a
 * request if one of its signatures matches, because requests have two while the secret is being rotated. Throws `WebhookError`,
 * and `TypeError` for a secret that is not base64. Ignore an event whose `id` you have already processed.
 */
export async function verifyWebhook({
  secret,
  headers,
  body,
  toleranceSeconds = 300,
  now = new Date(),
}: WebhookRequest): Promise<WebhookEvent> {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  const ageSeconds = now.getTime() / 1000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp) || Math.abs(ageSeconds) > toleranceSeconds)
    throw new WebhookError(
      "timestamp_invalid",
      `The webhook-timestamp is not within ${toleranceSeconds} seconds of now.`,
    );
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const content = joined(encoder.encode(`${id}.${timestamp}.`), bytes);
  const key = await importKey(secret);
  for (const signature of signatures.split(" ")) {
    const [version, text = ""] = signature.split(",");
    const mac = version === "v1" ? fromBase64(text) : undefined;
    // WebCrypto compares in constant time.
    if (mac && (await crypto.subtle.verify("HMAC", key, mac, content)))
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  }
  throw new WebhookError("signature_invalid", "No webhook-signature matches the body and the secret.");
}

const encoder = new TextEncoder();

function header(headers: HeaderSource, wanted: string): string {
  const value =
    typeof headers.get === "function"
      ? headers.get(wanted)
      : Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  if (typeof value !== "string" || value === "")
    throw new WebhookError("header_missing", `The header ${wanted} is missing.`);
  return value;
}

function importKey(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (!bytes?.length) throw new TypeError("The secret of a webhook is whsec_ followed by base64.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
