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
import { document } from "./xml.ts";

export type { Action, Credential } from "./verify.ts";

export type Options = {
  /** Directory of the objects, created if it does not exist. */
  directory: string;
  /** Port to listen on. Defaults to 0, a free one. */
  port?: number;
  credentials: readonly Credential[];
  buckets: readonly string[];
  region: string;
  /** Origins that CORS allows to read responses. */
  corsOrigins?: readonly string[];
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
 * before or after a write. Supports objects and ListObjectsV2; everything else gets 501.
 */
export async function listen(options: Options): Promise<LocalBucket> {
  const { credentials, region, corsOrigins = [], now = Clock.now } = options;
  const buckets = new Map<string, Objects>();
  for (const name of options.buckets) buckets.set(name, await openObjects(join(options.directory, name)));

  async function handle(request: IncomingMessage, received: Received): Promise<Reply> {
    const { method, path } = received;
    if (method === "OPTIONS") return preflight(received, corsOrigins);
    const { credential, payload } = verify(received, credentials, region, now());
    const { bucket, key } = target(path);
    const action = actionOf(method, key);
    const prefix = new Map(received.query).get("prefix") ?? "";
    const allowed = (wanted: Action) =>
      bucket !== "" && (credential.allow?.(wanted, bucket, key, prefix) ?? true);
    if (!allowed(action)) throwS3Error(403, "AccessDenied", "Access Denied");
    const objects = buckets.get(bucket);
    if (!objects) throwS3Error(404, "NoSuchBucket", "The specified bucket does not exist");
    rejectUnsupported(received);
    const call = { received, request, bucket, key, payload };
    if (action === "PutObject") return put(objects, call, now());
    if (action === "DeleteObject") {
      await objects.remove(key);
      return { status: 204 };
    }
    if (action === "GetObject") return get(objects, call, () => allowed("ListBucket"));
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
      for (const [name, value] of Object.entries(cors(received, corsOrigins)))
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
  /^(?:x-id|X-Amz-(?:Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Content-Sha256)|x-amz-checksum-mode|response-.+|list-type|prefix|delimiter|max-keys|continuation-token|start-after|encoding-type|fetch-owner)$/;
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

function cors({ headers: { origin } }: Received, allowed: readonly string[]): Record<string, string> {
  if (origin === undefined || !allowed.includes(origin)) return {};
  return { "access-control-allow-origin": origin, "access-control-expose-headers": "ETag", vary: "Origin" };
}

function preflight({ headers }: Received, allowed: readonly string[]): Reply {
  const method = headers["access-control-request-method"];
  if (!headers.origin || !method)
    throwS3Error(400, "BadRequest", "Insufficient information. Origin request header needed.");
  if (!allowed.includes(headers.origin) || !/^(?:GET|HEAD|PUT|DELETE)$/.test(method))
    throwS3Error(403, "AccessForbidden", "CORSResponse: This CORS request is not allowed.");
  return {
    status: 200,
    headers: {
      "access-control-allow-methods": "GET, HEAD, PUT, DELETE",
      "access-control-allow-headers": headers["access-control-request-headers"] ?? "",
    },
  };
}

/** Sends a response. For HEAD, Node omits the body and keeps the Content-Length. */
function send(response: ServerResponse, { status, headers = {}, body = "" }: Reply): void {
  const hasBody = status !== 204 && status !== 304;
  response.writeHead(status, { ...headers, ...(hasBody && { "content-length": Buffer.byteLength(body) }) });
  response.end(hasBody ? body : undefined);
}
