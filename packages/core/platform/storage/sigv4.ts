import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";

export type Credentials = {
  accessKeyId: string;
  secretAccessKey: string;
  /** Only temporary credentials have one; what they sign dies with them. */
  sessionToken?: string;
};

/** A secret, prepared to sign for one service in one region. */
export type SigningKey = {
  accessKeyId: string;
  sessionToken: string | undefined;
  region: string;
  service: string;
  secret: KeyObject;
  /** The key of the UTC day that was signed for last: it is derived in four steps, and good for the whole day. */
  ofDay: { day: string; key: KeyObject } | undefined;
};

/** What is signed: a query for any path of one host. */
export type Query = {
  method: "GET";
  /** As the client will send it: the port only when it is not the scheme's own. */
  host: string;
  /** Parameters besides those that the signature itself needs. */
  parameters: Record<string, string>;
  at: Date;
  expiresSeconds: number;
  /** Hash of the body in hexadecimal, or UNSIGNED-PAYLOAD. */
  payloadHash: string;
};

/** The longest that AWS Signature Version 4 lets a query be good for. */
export const longestExpirySeconds = 604_800;

/** Prepares a key. A KeyObject lets node:crypto skip copying the secret at each use: five times as many signatures. */
export function signingKey(credentials: Credentials, region: string, service: string): SigningKey {
  return {
    accessKeyId: credentials.accessKeyId,
    sessionToken: credentials.sessionToken,
    region,
    service,
    secret: createSecretKey(Buffer.from(`AWS4${credentials.secretAccessKey}`)),
    ofDay: undefined,
  };
}

/**
 * AWS Signature Version 4 in the query: takes an percentEncode path that begins with `/` and returns what follows the host
 * of the signed address. All that the paths have in common is worked out once, here. No network, nothing kept.
 * Throws a RangeError when the expiry is not a whole number of seconds from 1 to 604,800.
 */
export function querySigner(key: SigningKey, query: Query): (path: string) => string {
  const { method, host, at, expiresSeconds, payloadHash } = query;
  if (!Number.isInteger(expiresSeconds) || expiresSeconds < 1 || expiresSeconds > longestExpirySeconds)
    throw new RangeError(`A signed query lives 1 to ${longestExpirySeconds} seconds, not ${expiresSeconds}.`);
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
  const daily = keyOfDay(key, day);
  return (path) => {
    const toSign = toSignHead + hash("sha256", `${method}\n${path}${canonicalTail}`, "hex");
    const signature = createHmac("sha256", daily).update(toSign).digest("hex");
    return `${path}?${parameters}&X-Amz-Signature=${signature}`;
  };
}

/** Percent-encoding as Signature Version 4 wants it: everything but RFC 3986's unreserved characters. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function canonicalQuery(parameters: Record<string, string>): string {
  return Object.entries(parameters)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join("&");
}

function keyOfDay(key: SigningKey, day: string): KeyObject {
  if (key.ofDay?.day !== day) {
    let derived = key.secret;
    for (const part of [day, key.region, key.service, "aws4_request"])
      derived = createSecretKey(createHmac("sha256", derived).update(part).digest());
    key.ofDay = { day, key: derived };
  }
  return key.ofDay.key;
}
