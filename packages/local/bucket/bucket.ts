import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as Clock from "@svc/core/base/clock";
import { log } from "@svc/core/platform/log/log";
import { readObject } from "./body.ts";
import { listing } from "./listing.ts";
import { type Meta, type Objects, openObjects } from "./objects.ts";
import { isS3Error, throwS3Error } from "./s3-error.ts";
import { type Action, type Credential, type Received, verify } from "./verify.ts";
import { document, unescapeXml } from "./xml.ts";

export type { Action, Credential } from "./verify.ts";

/** A CORS rule that allows GET. */
type Cors = { bucket: string; origin: string };

export type Options = {
  /** Directory of the objects, created if it does not exist. */
  directory: string;
  /** Port to listen on. Defaults to 0, a free one. */
  port?: number;
  credentials: readonly Credential[];
  buckets: readonly string[];
  region: string;
  /** The bucket whose objects pages of one origin may fetch (CORS). Without it, no page may. */
  cors?: Cors;
  now?: () => Date;
};

/** Decides how a request fails in a test: with a status, without a response, or with a connection reset. */
export type Fail = (request: {
  method: string;
  bucket: string;
  key: string;
}) => number | "hang" | "reset" | undefined;

export type LocalBucket = {
  /** Origin, for STORAGE_ENDPOINT. Requests must use path-style addressing. */
  url: string;
  port: number;
  /** Called first for every request. Set and unset by tests. */
  fail: Fail | undefined;
  /** Returns the sorted keys of a bucket. */
  keys(bucket: string): string[];
  close(): Promise<void>;
};

type Reply = { status: number; headers?: Record<string, string | number>; body?: string | Buffer };

type ObjectRequest = {
  received: Received;
  request: IncomingMessage;
  bucket: string;
  key: string;
  payload: string;
};

/**
 * Starts an S3 endpoint on 127.0.0.1 that is as strict as S3. Objects survive a restart, and a crash leaves each object as
 * before or after a write. Supports objects, DeleteObjects and ListObjectsV2; everything else gets 501.
 */
export async function listen(options: Options): Promise<LocalBucket> {
  const { credentials, region, now = Clock.now } = options;
  const buckets = new Map<string, Objects>();
  for (const name of options.buckets) buckets.set(name, await openObjects(join(options.directory, name)));

  async function handle(request: IncomingMessage, received: Received): Promise<Reply> {
    const { method, path } = received;
    if (method === "OPTIONS") return preflight(received, options.cors);
    const { credential, payload } = verify(received, credentials, region, now());
    const { bucket, key } = target(path);
    const removesMany = method === "POST" && key === "" && received.query.some(([name]) => name === "delete");
    const action = removesMany ? "DeleteObject" : actionOf(method, key);
    const allowed = (wanted: Action, of = key) =>
      bucket !== "" && (credential.allow?.(wanted, bucket, of) ?? true);
    // S3 decides about each key of a DeleteObjects request.
    if (!removesMany && !allowed(action)) throwS3Error(403, "AccessDenied", "Access Denied");
    const objects = buckets.get(bucket);
    if (!objects) throwS3Error(404, "NoSuchBucket", "The specified bucket does not exist");
    rejectUnsupported(received);
    const call = { received, request, bucket, key, payload };
    if (action === "PutObject") return put(objects, call, now());
    if (removesMany) return removeMany(objects, call, (key) => allowed("DeleteObject", key));
    if (action === "DeleteObject") {
      await objects.remove(key);
      return { status: 204 };
    }
    if (action === "GetObject") return get(objects, call, () => allowed("ListBucket", ""));
    return method === "HEAD" ? { status: 200 } : listing(objects.list(), bucket, new Map(received.query));
  }

  const server = createServer(async (request, response) => {
    // The SDK corrects its clock by this header.
    response.setHeader("Date", now().toUTCString());
    response.setHeader("x-amz-request-id", randomUUID());
    try {
      const received = receive(request);
      const wanted = local.fail?.({ method: received.method, ...target(received.path) });
      if (wanted === "hang") return;
      if (wanted === "reset") return void request.socket.resetAndDestroy();
      if (wanted) throwS3Error(wanted, "InternalError", "A test requested this error.");
      for (const [name, value] of Object.entries(corsHeaders(received, options.cors)))
        response.setHeader(name, value);
      send(response, await handle(request, received));
    } catch (error) {
      if (request.destroyed && !request.complete) return;
      if (!isS3Error(error)) log.error("local bucket failed", { error });
      const { status, code, message } = isS3Error(error)
        ? error
        : { status: 500, code: "InternalError", message: "We encountered an internal error." };
      const body = document("Error", { Code: code, Message: message, Resource: request.url ?? "" });
      send(response, { status, headers: { "content-type": "application/xml" }, body });
    }
  });
  // Clients must close idle connections first. If the server did, it could close one just as a client sends a request.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;

  const local: LocalBucket = {
    url: `http://127.0.0.1:${port}`,
    port,
    fail: undefined,
    keys: (bucket) =>
      buckets
        .get(bucket)
        ?.list()
        .map(({ key }) => key) ?? [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return local;
}

function receive(request: IncomingMessage): Received {
  const [path = "", search = ""] = (request.url ?? "").split(/\?(.*)/s);
  const headers = Object.entries(request.headersDistinct).map(([name, values]) => [
    name,
    (values ?? []).join(","),
  ]);
  try {
    return {
      method: request.method ?? "",
      path: decodeURIComponent(path),
      query: search
        .split("&")
        .filter(Boolean)
        .map((pair) => pair.split(/=(.*)/s, 2).map((part) => decodeURIComponent(part.replaceAll("+", " "))))
        .map(([name = "", value = ""]) => [name, value]),
      headers: Object.fromEntries(headers),
    };
  } catch {
    throwS3Error(400, "InvalidURI", "Couldn't parse the specified URI.");
  }
}

function target(path: string): { bucket: string; key: string } {
  const [, bucket = "", key = ""] = /^\/([^/]*)\/?(.*)$/s.exec(path) ?? [];
  return { bucket, key };
}

function actionOf(method: string, key: string): Action {
  if (method === "GET" || method === "HEAD") return key === "" ? "ListBucket" : "GetObject";
  if (key !== "" && method === "PUT") return "PutObject";
  if (key !== "" && method === "DELETE") return "DeleteObject";
  throwS3Error(405, "MethodNotAllowed", "The specified method is not allowed against this resource.");
}

const knownQuery =
  /^(?:x-id|X-Amz-(?:Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Content-Sha256)|x-amz-checksum-mode|response-.+|delete|list-type|prefix|delimiter|max-keys|continuation-token|start-after|encoding-type|fetch-owner)$/;
const knownHeader =
  /^x-amz-(?:date|content-sha256|user-agent|meta-.+|checksum-.+|sdk-checksum-algorithm|trailer|decoded-content-length)$/;

/** Rejects parameters and headers that are not supported (copies, tags, ACLs, versions) instead of ignoring them. */
function rejectUnsupported({ query, headers }: Received): void {
  const unknown =
    query.find(([name]) => !knownQuery.test(name))?.[0] ??
    Object.keys(headers).find((name) => name.startsWith("x-amz-") && !knownHeader.test(name));
  if (unknown !== undefined)
    throwS3Error(501, "NotImplemented", `The local bucket does not support ${unknown}.`);
}

const storedHeader =
  /^(?:content-type|cache-control|content-disposition|content-encoding|content-language|expires|x-amz-meta-.+)$/;

async function put(
  objects: Objects,
  { received, request, key, payload }: ObjectRequest,
  at: Date,
): Promise<Reply> {
  const { headers } = received;
  if (Buffer.byteLength(key) > 1024) throwS3Error(400, "KeyTooLongError", "Your key is too long");
  if (headers["if-match"] !== undefined || (headers["if-none-match"] ?? "*") !== "*")
    throwS3Error(
      501,
      "NotImplemented",
      "The local bucket supports only If-None-Match: * as a condition on a put.",
    );
  const body = await readObject(request, headers, payload);
  const served = Object.fromEntries(
    Object.entries({ "content-type": "application/octet-stream", ...headers }).filter(([name]) =>
      storedHeader.test(name),
    ),
  );
  const encoding = served["content-encoding"]?.replace(/^aws-chunked,?\s*/, "");
  if (encoding) served["content-encoding"] = encoding;
  else delete served["content-encoding"];
  const meta = await objects.write(key, body, served, at, headers["if-none-match"] === "*");
  if (!meta)
    throwS3Error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
  return { status: 200, headers: { etag: meta.etag } };
}

/** Responds to DeleteObjects: removes each key that the caller may remove, and names the others. */
async function removeMany(
  objects: Objects,
  { received: { headers }, request, payload }: ObjectRequest,
  allowed: (key: string) => boolean,
): Promise<Reply> {
  const checks = ["content-md5", "x-amz-sdk-checksum-algorithm"];
  if (!checks.some((name) => headers[name] !== undefined))
    throwS3Error(
      400,
      "InvalidRequest",
      "Missing required header for this request: Content-MD5 OR x-amz-checksum-*",
    );
  const text = (await readObject(request, headers, payload)).toString();
  const keys = [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = ""]) => unescapeXml(key));
  if (keys.length === 0 || keys.length > 1000)
    throwS3Error(400, "MalformedXML", "The XML you provided was not well-formed.");
  const refused = keys.filter((key) => !allowed(key));
  for (const key of keys) if (!refused.includes(key)) await objects.remove(key);
  const errors = refused.map((Key) => ({ Key, Code: "AccessDenied", Message: "Access Denied" }));
  const isQuiet = /<Quiet>true<\/Quiet>/.test(text);
  const deleted = keys.filter((key) => !refused.includes(key)).map((Key) => ({ Key }));
  const body = document("DeleteResult", { Deleted: isQuiet ? [] : deleted, Error: errors });
  return { status: 200, headers: { "content-type": "application/xml" }, body };
}

async function get(
  objects: Objects,
  { received, key }: ObjectRequest,
  mayList: () => boolean,
): Promise<Reply> {
  const found = await objects.read(key);
  // Without permission to list, callers must not learn whether an object exists.
  if (!found && !mayList()) throwS3Error(403, "AccessDenied", "Access Denied");
  if (!found) throwS3Error(404, "NoSuchKey", "The specified key does not exist.");
  const { meta, body } = found;
  const headers = {
    ...meta.headers,
    etag: meta.etag,
    "last-modified": new Date(meta.lastModified).toUTCString(),
  };
  if (!isModified(meta, received.headers)) return { status: 304, headers };
  const overrides = received.query
    .filter(([name]) => name.startsWith("response-"))
    .map(([name, value]) => [name.slice("response-".length), value]);
  const whole = { ...headers, ...Object.fromEntries(overrides), "accept-ranges": "bytes" };
  const range = rangeOf(received.headers.range, body.length);
  if (!range) return { status: 200, headers: whole, body };
  const part = body.subarray(range.from, range.to + 1);
  return {
    status: 206,
    headers: { ...whole, "content-range": `bytes ${range.from}-${range.to}/${body.length}` },
    body: part,
  };
}

/** Evaluates conditions in the order of RFC 9110, section 13.2.2. Returns false if the client has the current version. */
function isModified({ etag, lastModified }: Meta, headers: Record<string, string>): boolean {
  const names = (list: string) => list === "*" || list.split(/\s*,\s*/).includes(etag);
  const { "if-match": match, "if-none-match": noneMatch } = headers;
  const since = Date.parse(headers["if-modified-since"] ?? "");
  const unmodifiedSince = Date.parse(headers["if-unmodified-since"] ?? "");
  if (match === undefined ? lastModified > unmodifiedSince : !names(match))
    throwS3Error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
  return noneMatch === undefined ? !(lastModified <= since) : !names(noneMatch);
}

/** Parses a Range header. Returns undefined, for the whole object, if it is absent or malformed. */
function rangeOf(header: string | undefined, size: number): { from: number; to: number } | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(last) < from) return undefined;
  if (from >= size) throwS3Error(416, "InvalidRange", "The requested range is not satisfiable");
  return { from, to };
}

/** Returns the headers that let a page read the response, if the request is from an allowed origin. */
function corsHeaders({ method, path, headers: { origin } }: Received, cors?: Cors): Record<string, string> {
  const wanted = method === "OPTIONS" ? "GET" : method;
  if (!cors || origin !== cors.origin || target(path).bucket !== cors.bucket || wanted !== "GET") return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET",
    vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}

/** Responds to a preflight. Headers other than the safelisted ones are not allowed. */
function preflight(received: Received, cors?: Cors): Reply {
  const { origin, ...headers } = received.headers;
  const method = headers["access-control-request-method"];
  if (!origin || !method)
    throwS3Error(400, "BadRequest", "Insufficient information. Origin request header needed.");
  const isAllowed = "access-control-allow-origin" in corsHeaders(received, cors);
  if (!isAllowed || method !== "GET" || headers["access-control-request-headers"])
    throwS3Error(403, "AccessForbidden", "CORSResponse: This CORS request is not allowed.");
  return { status: 200 };
}

/** Sends a response. For HEAD, Node omits the body and keeps the Content-Length. */
function send(response: ServerResponse, { status, headers = {}, body = "" }: Reply): void {
  const hasBody = status !== 204 && status !== 304;
  response.writeHead(status, { ...headers, ...(hasBody && { "content-length": Buffer.byteLength(body) }) });
  response.end(hasBody ? body : undefined);
}
