import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";

/** An AWS access key. */
export type Credentials = {
  accessKeyId: string;
  secretAccessKey: string;
  /** Only for temporary credentials. Their signatures expire with them. */
  sessionToken?: string;
};

/** A secret that is prepared for signing for one service in one region. */
export type SigningKey = {
  accessKeyId: string;
  sessionToken: string | undefined;
  region: string;
  service: string;
  secret: KeyObject;
  /** The derived key of the last used UTC day. It is derived in four steps and valid for the whole day. */
  daily: { day: string; key: KeyObject } | undefined;
};

/** A presigned request for any path of one host. */
export type PresignedRequest = {
  method: "GET";
  /** The Host header, with the port only if it is not the scheme's default. */
  host: string;
  /** Query parameters other than those of the signature. */
  parameters: Record<string, string>;
  at: Date;
  expiresSeconds: number;
  /** The body's SHA-256 hash in hexadecimal, or UNSIGNED-PAYLOAD. */
  payloadHash: string;
};

/** The longest expiry that AWS Signature Version 4 allows. */
export const longestExpirySeconds = 604_800;

/**
 * Prepares a signing key. A KeyObject makes signing five times as fast, because node:crypto does not copy the secret at each
 * use.
 */
export function signingKey(credentials: Credentials, region: string, service: string): SigningKey {
  return {
    accessKeyId: credentials.accessKeyId,
    sessionToken: credentials.sessionToken,
    region,
    service,
    secret: createSecretKey(Buffer.from(`AWS4${credentials.secretAccessKey}`)),
    daily: undefined,
  };
}

/**
 * Returns a function that signs percent-encoded paths with AWS Signature Version 4 in the query. It takes a path that begins
 * with `/` and returns the path and query of the signed URL. The parts that all paths share are computed once. Throws a
 * RangeError when the expiry is not a whole number of seconds from 1 to 604,800.
 */
export function querySigner(key: SigningKey, query: PresignedRequest): (path: string) => string {
  const { method, host, at, expiresSeconds, payloadHash } = query;
  if (!Number.isInteger(expiresSeconds) || expiresSeconds < 1 || expiresSeconds > longestExpirySeconds)
    throw new RangeError(
      `Expiry must be a whole number from 1 to ${longestExpirySeconds} seconds, not ${expiresSeconds}.`,
    );
  const time = `${at.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
  const day = time.slice(0, 8);
  const scope = `${day}/${key.region}/${key.service}/aws4_request`;
  const parameters = canonicalQuery({
    ...query.parameters,
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${key.accessKeyId}/${scope}`,
    "X-Amz-Date": time,
    "X-Amz-Expires": `${expiresSeconds}`,
    ...(key.sessionToken !== undefined && { "X-Amz-Security-Token": key.sessionToken }),
    "X-Amz-SignedHeaders": "host",
  });
  const canonicalTail = `\n${parameters}\nhost:${host}\n\nhost\n${payloadHash}`;
  const toSignHead = `AWS4-HMAC-SHA256\n${time}\n${scope}\n`;
  const dailyKey = keyOfDay(key, day);
  return (path) => {
    const toSign = toSignHead + hash("sha256", `${method}\n${path}${canonicalTail}`, "hex");
    const signature = createHmac("sha256", dailyKey).update(toSign).digest("hex");
    return `${path}?${parameters}&X-Amz-Signature=${signature}`;
  };
}

/** Percent-encodes all characters except the unreserved ones of RFC 3986, as Signature Version 4 requires. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Encodes parameters, sorted by their encoded names: `%E1` comes before `A`, although U+1234 comes after it. */
function canonicalQuery(parameters: Record<string, string>): string {
  return Object.entries(parameters)
    .map(([name, value]) => [percentEncode(name), percentEncode(value)])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

function keyOfDay(key: SigningKey, day: string): KeyObject {
  if (key.daily?.day !== day) {
    let derived = key.secret;
    for (const part of [day, key.region, key.service, "aws4_request"])
      derived = createSecretKey(createHmac("sha256", derived).update(part).digest());
    key.daily = { day, key: derived };
  }
  return key.daily.key;
}
