import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { throwS3Error } from "./s3-error.ts";

// This file deliberately shares no code with core's signer, so that it does not share its bugs.

export type Action = "GetObject" | "PutObject" | "DeleteObject" | "ListBucket";

export type Credential = {
  accessKeyId: string;
  secretAccessKey: string;
  /** Decides what the key may do, like its IAM policy. Defaults to everything. */
  allow?: (action: Action, bucket: string, key: string) => boolean;
};

/** A received request. Path and query are decoded, header names are in lower case, and repeated headers are joined by commas. */
export type Received = {
  method: string;
  path: string;
  query: (readonly [name: string, value: string])[];
  headers: Record<string, string>;
};

type Claim = {
  /** S3 error code for malformed parts. */
  malformed: "AuthorizationQueryParametersError" | "AuthorizationHeaderMalformed";
  credential: string;
  time: string;
  signedHeaders: string;
  signature: string;
  /** Hash of the body, or a keyword such as UNSIGNED-PAYLOAD. */
  payload: string;
  /** The signed query parameters. */
  query: Received["query"];
};

const algorithm = "AWS4-HMAC-SHA256";
const skewMs = 15 * 60_000;

/**
 * Verifies AWS Signature Version 4 in the Authorization header or the query. Returns the credential and the declared payload
 * hash. Throws S3 errors for requests that are unsigned, changed or expired, or use another clock, region or key.
 */
export function verify(
  request: Received,
  credentials: readonly Credential[],
  region: string,
  now: Date,
): { credential: Credential; payload: string } {
  const claim = parseClaim(request, now);
  const [accessKeyId, day, scopeRegion, service, end, ...more] = claim.credential.split("/");
  if (!accessKeyId || service !== "s3" || end !== "aws4_request" || more.length > 0)
    throwS3Error(400, claim.malformed, "The credential must be KEY/DATE/REGION/s3/aws4_request.");
  if (day !== claim.time.slice(0, 8))
    throwS3Error(400, claim.malformed, "The date of the credential differs from the date of the request.");
  if (scopeRegion !== region)
    throwS3Error(400, claim.malformed, `The region '${scopeRegion}' is wrong; expecting '${region}'.`);
  const credential = credentials.find((candidate) => candidate.accessKeyId === accessKeyId);
  if (!credential) throwS3Error(403, "InvalidAccessKeyId", "The access key Id you provided does not exist.");

  const names = claim.signedHeaders.split(";");
  const unsigned = Object.keys(request.headers).filter(
    (name) => (name === "host" || name.startsWith("x-amz-")) && !names.includes(name),
  );
  if (unsigned.length > 0)
    throwS3Error(
      403,
      "AccessDenied",
      `There were headers present which were not signed: ${unsigned.join(", ")}`,
    );

  const canonical = [
    request.method,
    rfc3986(request.path, "/"),
    claim.query
      .map(([name, value]) => [rfc3986(name), rfc3986(value)] as const)
      .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
      .map((pair) => pair.join("="))
      .join("&"),
    ...names.map((name) => `${name}:${(request.headers[name] ?? "").trim().replace(/ +/g, " ")}`),
    "",
    claim.signedHeaders,
    claim.payload,
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = [algorithm, claim.time, scope, createHash("sha256").update(canonical).digest("hex")].join(
    "\n",
  );
  let key: string | Buffer = `AWS4${credential.secretAccessKey}`;
  for (const part of [...scope.split("/"), toSign]) key = createHmac("sha256", key).update(part).digest();
  const expected = Buffer.from(key.toString("hex"));
  const actual = Buffer.from(claim.signature);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throwS3Error(
      403,
      "SignatureDoesNotMatch",
      "The signature does not match. Check your key and signing method.",
    );
  return { credential, payload: claim.payload };
}

function parseClaim(request: Received, now: Date): Claim {
  const parameters = new Map(request.query);
  const { authorization } = request.headers;
  const inQuery = parameters.has("X-Amz-Algorithm") || parameters.has("X-Amz-Signature");
  if (inQuery && authorization) throwS3Error(400, "InvalidArgument", "Only one auth mechanism is allowed.");
  if (inQuery) return claimInQuery(request, parameters, now);
  if (authorization) return claimInHeader(request, authorization, now);
  throwS3Error(403, "AccessDenied", "Access Denied");
}

function claimInQuery(request: Received, parameters: Map<string, string>, now: Date): Claim {
  const malformed = "AuthorizationQueryParametersError";
  const [method, credential, time, expires, signedHeaders, signature] = [
    "X-Amz-Algorithm",
    "X-Amz-Credential",
    "X-Amz-Date",
    "X-Amz-Expires",
    "X-Amz-SignedHeaders",
    "X-Amz-Signature",
  ].map(
    (name) =>
      parameters.get(name) || throwS3Error(400, malformed, `The query parameter ${name} is required.`),
  ) as [string, string, string, string, string, string];
  if (parameters.size !== request.query.length)
    throwS3Error(400, malformed, "A query parameter occurs twice.");
  if (method !== algorithm) throwS3Error(400, malformed, `X-Amz-Algorithm only supports ${algorithm}.`);
  if (!/^\d{1,6}$/.test(expires) || Number(expires) > 604_800)
    throwS3Error(400, malformed, "X-Amz-Expires must be a number of seconds up to 604800 (a week).");
  const signedAt =
    parseTime(time) ?? throwS3Error(400, malformed, "X-Amz-Date must have the format yyyyMMddTHHmmssZ.");
  if (signedAt > now.getTime() + skewMs) throwS3Error(403, "AccessDenied", "Request is not valid yet");
  if (now.getTime() > signedAt + Number(expires) * 1000)
    throwS3Error(403, "AccessDenied", "Request has expired");
  return {
    malformed,
    credential,
    time,
    signedHeaders,
    signature,
    payload:
      request.headers["x-amz-content-sha256"] ?? parameters.get("X-Amz-Content-Sha256") ?? "UNSIGNED-PAYLOAD",
    query: request.query.filter(([name]) => name !== "X-Amz-Signature"),
  };
}

function claimInHeader(request: Received, authorization: string, now: Date): Claim {
  const malformed = "AuthorizationHeaderMalformed";
  if (!authorization.startsWith(`${algorithm} `))
    throwS3Error(
      400,
      "InvalidRequest",
      `The authorization mechanism is not supported. Please use ${algorithm}.`,
    );
  const [, credential, signedHeaders, signature] =
    /^\S+ +Credential=([^\s,]+), *SignedHeaders=([^\s,]+), *Signature=([^\s,]+)$/.exec(authorization) ??
    throwS3Error(
      400,
      malformed,
      "The authorization header must contain Credential, SignedHeaders and Signature.",
    );
  const time = request.headers["x-amz-date"] ?? "";
  const signedAt =
    parseTime(time) ?? throwS3Error(403, "AccessDenied", "A valid x-amz-date header is required.");
  if (Math.abs(now.getTime() - signedAt) > skewMs)
    throwS3Error(403, "RequestTimeTooSkewed", "The request's time and the current time are too far apart.");
  const payload =
    request.headers["x-amz-content-sha256"] ??
    throwS3Error(400, "InvalidRequest", "Missing required header for this request: x-amz-content-sha256");
  return {
    malformed,
    credential: credential ?? "",
    time,
    signedHeaders: signedHeaders ?? "",
    signature: signature ?? "",
    payload,
    query: request.query,
  };
}

/** Parses a time in the basic format of ISO 8601. Returns milliseconds since 1970, or undefined if it is malformed. */
function parseTime(time: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Percent-encodes every byte except the unreserved characters of RFC 3986 and those in `unescaped`. */
function rfc3986(text: string, unescaped = ""): string {
  let result = "";
  for (const byte of Buffer.from(text)) {
    const char = String.fromCharCode(byte);
    result +=
      /[A-Za-z0-9._~-]/.test(char) || unescaped.includes(char)
        ? char
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return result;
}
