import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setImmediate as tick } from "node:timers/promises";
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type * as Config from "@svc/core/platform/config/config";
import { signer, signGet } from "@svc/core/platform/storage/signer";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Action, type LocalBucket, listen } from "./bucket.ts";

// Tests the local bucket, or the S3 endpoint in the environment, with the AWS SDK:
// TEST_STORAGE_ENDPOINT, _REGION, _ACCESS_KEY_ID, _SECRET_ACCESS_KEY, _BUCKET (it exists), _FORCE_PATH_STYLE=true
const env = process.env;
const externalEndpoint = env.TEST_STORAGE_ENDPOINT;
const origin = "https://app.example.com";

let storage: Config.Storage;
let local: LocalBucket | undefined;
let directory: string;
let nowOffsetMs = 0;
const now = () => new Date(Date.now() + nowOffsetMs);

const name = () => storage.bucketAvatars;
const prefix = `contract/${randomUUID()}/`;
let key: string;

/** Restricts a key to these actions, like the storage keys of the functions. */
const allowOnly =
  (...actions: Action[]) =>
  (action: Action) =>
    actions.includes(action);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-contract-"));
  storage = {
    endpoint: externalEndpoint ?? "",
    region: env.TEST_STORAGE_REGION ?? "eu-central-2",
    accessKeyId: env.TEST_STORAGE_ACCESS_KEY_ID ?? "AKIDOWNER",
    secretAccessKey: env.TEST_STORAGE_SECRET_ACCESS_KEY ?? "the owner's secret/+=",
    bucket: "svc-files",
    bucketAvatars: env.TEST_STORAGE_BUCKET ?? "svc-avatars",
    forcePathStyle: env.TEST_STORAGE_FORCE_PATH_STYLE === "true",
  };
  if (externalEndpoint) return;
  local = await listen({
    directory,
    region: storage.region,
    buckets: ["svc-files", "svc-avatars"],
    cors: { bucket: "svc-avatars", origin },
    now,
    credentials: [
      storage,
      { accessKeyId: "AKIDREAD", secretAccessKey: "s", allow: allowOnly("GetObject") },
      {
        accessKeyId: "AKIDWRITE",
        secretAccessKey: "s",
        allow: allowOnly("GetObject", "PutObject", "DeleteObject"),
      },
      {
        accessKeyId: "AKIDSWEEP",
        secretAccessKey: "s",
        allow: allowOnly("ListBucket", "GetObject", "DeleteObject"),
      },
      { accessKeyId: "AKIDFILES", secretAccessKey: "s", allow: (_, bucket) => bucket === "svc-files" },
    ],
  });
  storage.endpoint = local.url;
});

beforeEach(() => {
  key = `${prefix}${randomUUID()}.webp`;
});

afterAll(async () => {
  const client = sdk();
  const left = await client.send(new ListObjectsV2Command({ Bucket: name(), Prefix: prefix }));
  for (const { Key } of left.Contents ?? [])
    await client.send(new DeleteObjectCommand({ Bucket: name(), Key }));
  await local?.close();
  await rm(directory, { recursive: true });
});

/** Creates an S3 client with default settings that does not retry, so that tests see every error. */
function sdk(more: S3ClientConfig = {}): S3Client {
  const { endpoint, region, forcePathStyle } = storage;
  return new S3Client({ endpoint, region, forcePathStyle, credentials: storage, maxAttempts: 1, ...more });
}

async function put(body: string | Buffer = "a picture", more: object = {}): Promise<string> {
  const { ETag } = await sdk().send(new PutObjectCommand({ Bucket: name(), Key: key, Body: body, ...more }));
  return ETag ?? "";
}

const get = async (more: object = {}) =>
  sdk().send(new GetObjectCommand({ Bucket: name(), Key: key, ...more }));

async function text(more: object = {}): Promise<string | undefined> {
  return (await get(more)).Body?.transformToString();
}

/** Returns status and code of an S3 error. */
async function errorOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof S3ServiceException)) throw error ?? new Error("The request succeeded.");
  return `${error.$metadata.httpStatusCode} ${error.name}`;
}

/** Returns the status of a response, and its error code if it has one. */
async function statusOf(address: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(address, init);
  const code = /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1];
  return code ? `${response.status} ${code}` : `${response.status}`;
}

const signed = (at = now(), expires = 60, of: Config.Storage = storage, which = key) =>
  signGet(signer(of), name(), [which], at, expires)[0] ?? "";

/** Changes each request of a client after it is signed. */
function afterSigning(
  client: S3Client,
  change: (request: { headers: Record<string, string>; body: unknown }) => void,
) {
  client.middlewareStack.add(
    (next) => (args) => {
      change(args.request as { headers: Record<string, string>; body: unknown });
      return next(args);
    },
    { step: "finalizeRequest", priority: "low", name: "change" },
  );
  return client;
}

describe("an unsigned request", () => {
  test.each(["GET", "HEAD", "PUT", "DELETE"])(
    "to %s an object returns 403 and changes nothing",
    async (method) => {
      await put();
      const address = signed().split("?")[0] ?? "";
      const answer = await statusOf(address, { method, ...(method === "PUT" && { body: "other" }) });
      expect(answer).toBe(method === "HEAD" ? "403" : "403 AccessDenied");
      expect(await text()).toBe("a picture");
    },
  );

  test("to list objects returns 403", async () => {
    const address = new URL(signed());
    const bucket = address.pathname.startsWith(`/${name()}/`) ? `/${name()}` : "/";
    expect(await statusOf(`${address.origin}${bucket}?list-type=2`)).toBe("403 AccessDenied");
  });
});

describe("a pre-signed GET URL", () => {
  test("returns the object when signed by the SDK or by core's signer, with a short or the longest lifetime", async () => {
    await put("a picture", { ContentType: "image/webp" });
    const sdkUrl = await getSignedUrl(sdk(), new GetObjectCommand({ Bucket: name(), Key: key }), {
      expiresIn: 60,
    });
    for (const url of [sdkUrl, signed(), signed(now(), 604_800)]) {
      const response = await fetch(url);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/webp"]);
      expect(await response.text()).toBe("a picture");
    }
  });

  test("works for keys that need encoding", async () => {
    for (const odd of ["ü ñ 漢 😀", "+%'()*!~&=?#;:@$,", "a//b", "%2F%20+", `${"long/".repeat(160)}end`]) {
      key = `${prefix}${odd}`;
      await put(odd);
      expect(await (await fetch(signed())).text()).toBe(odd);
    }
  });

  test("is rejected when the signature is changed, truncated, empty or missing", async () => {
    await put();
    const address = signed();
    const last = address.endsWith("0") ? "1" : "0";
    expect(await statusOf(address.slice(0, -1) + last)).toBe("403 SignatureDoesNotMatch");
    expect(await statusOf(address.slice(0, -1))).toBe("403 SignatureDoesNotMatch");
    expect(await statusOf(address.replace(/(Signature=).*/, "$1"))).toMatch(/^40[03]/);
    expect(await statusOf(address.replace(/&X-Amz-Signature=.*/, ""))).toBe(
      "400 AuthorizationQueryParametersError",
    );
  });

  test("is rejected for another key, method, parameter, date or lifetime", async () => {
    await put();
    const address = signed();
    const mismatch = "403 SignatureDoesNotMatch";
    expect(await statusOf(address.replace(".webp?", ".webq?"))).toBe(mismatch);
    expect(await statusOf(address, { method: "PUT", body: "other" })).toBe(mismatch);
    expect(await statusOf(address, { method: "DELETE" })).toBe(mismatch);
    expect(await statusOf(address, { method: "HEAD" })).toBe("403");
    expect(await statusOf(`${address}&response-content-type=text/html`)).toBe(mismatch);
    expect(await statusOf(address.replace("Expires=60", "Expires=600"))).toBe(mismatch);
    expect(await statusOf(address.replace(/(X-Amz-Date=\d{8}T)\d{6}/, "$1000000"))).toMatch(/^403/);
    expect(await text()).toBe("a picture");
  });

  test("is rejected with a lifetime of more than a week or an invalid one", async () => {
    await put();
    const malformed = "400 AuthorizationQueryParametersError";
    for (const life of ["604801", "9999999", "-1", "abc", ""])
      expect(await statusOf(signed().replace("Expires=60", `Expires=${life}`)), life).toBe(malformed);
  });

  test("is rejected with a wrong secret, an unknown key, another region or another service", async () => {
    await put();
    const by = (more: Partial<Config.Storage>) => statusOf(signed(now(), 60, { ...storage, ...more }));
    expect(await by({ secretAccessKey: "wrong" })).toBe("403 SignatureDoesNotMatch");
    expect(await by({ accessKeyId: "AKIDNOBODYKNOWSTHIS1" })).toBe("403 InvalidAccessKeyId");
    expect(await by({ region: "mars-north-1" })).toBe("400 AuthorizationQueryParametersError");
    expect(await statusOf(signed().replace("%2Fs3%2F", "%2Fsqs%2F"))).toBe(
      "400 AuthorizationQueryParametersError",
    );
  });

  test("is rejected after it expires and before it is valid", async () => {
    await put();
    expect(await statusOf(signed(new Date(now().getTime() - 62_000)))).toBe("403 AccessDenied");
    expect(await statusOf(signed(new Date(now().getTime() + 3_600_000)))).toBe("403 AccessDenied");
  });

  test.skipIf(externalEndpoint)(
    "is valid for exactly seven days (only on the local bucket, whose clock can be set)",
    async () => {
      await put();
      const address = signed(new Date(Math.floor(Date.now() / 1000) * 1000), 604_800);
      try {
        nowOffsetMs = (604_800 - 60) * 1000;
        expect(await statusOf(address)).toBe("200");
        nowOffsetMs = 604_802 * 1000;
        expect(await statusOf(address)).toBe("403 AccessDenied");
      } finally {
        nowOffsetMs = 0;
      }
    },
  );

  test("is rejected together with an Authorization header", async () => {
    await put();
    const headers = { authorization: "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c" };
    expect(await statusOf(signed(), { headers })).toBe("400 InvalidArgument");
  });

  test("is rejected with an unsigned x-amz- header", async () => {
    await put();
    expect(await statusOf(signed(), { headers: { "x-amz-meta-more": "1" } })).toBe("403 AccessDenied");
  });
});

describe("a request signed in the Authorization header", () => {
  const write = (client: S3Client, more: object = {}) =>
    client.send(new PutObjectCommand({ Bucket: name(), Key: key, Body: Buffer.from("a picture"), ...more }));

  test("is rejected with a wrong secret, an unknown key or another region", async () => {
    const credentials = { ...storage, secretAccessKey: "wrong" };
    expect(await errorOf(write(sdk({ credentials })))).toBe("403 SignatureDoesNotMatch");
    const unknownKey = { ...storage, accessKeyId: "AKIDNOBODYKNOWSTHIS1" };
    expect(await errorOf(write(sdk({ credentials: unknownKey })))).toBe("403 InvalidAccessKeyId");
    expect(await errorOf(write(sdk({ region: "mars-north-1" })))).toBe("400 AuthorizationHeaderMalformed");
  });

  test("is rejected with a clock that is 20 minutes off, and accepted with one that is 10 minutes off", async () => {
    for (const minutes of [-20, 20])
      expect(await errorOf(write(sdk({ systemClockOffset: minutes * 60_000 })))).toBe(
        "403 RequestTimeTooSkewed",
      );
    await write(sdk({ systemClockOffset: -10 * 60_000 }));
    expect(await text()).toBe("a picture");
  });

  test("is rejected when the body is changed after signing", async () => {
    const client = afterSigning(sdk({ requestChecksumCalculation: "WHEN_REQUIRED" }), (sent) => {
      sent.body = Buffer.from("a forgery");
    });
    expect(await errorOf(write(client))).toBe("400 XAmzContentSHA256Mismatch");
    expect(await errorOf(get())).toBe("404 NoSuchKey");
  });

  test("is rejected when a header is changed or added after signing", async () => {
    const changed = afterSigning(sdk(), ({ headers }) => {
      headers["content-type"] = "text/html";
    });
    expect(await errorOf(write(changed, { ContentType: "image/webp" }))).toBe("403 SignatureDoesNotMatch");
    const added = afterSigning(sdk(), ({ headers }) => {
      headers["x-amz-meta-more"] = "1";
    });
    expect(await errorOf(write(added))).toBe("403 AccessDenied");
  });

  test("is rejected with a wrong Content-MD5 or x-amz-checksum-*", async () => {
    const md5 = createHash("md5").update("another").digest("base64");
    expect(await errorOf(write(sdk(), { ContentMD5: md5 }))).toBe("400 BadDigest");
    const sha256 = createHash("sha256").update("another").digest("base64");
    for (const wrong of [{ ChecksumCRC32: "AAAAAA==" }, { ChecksumSHA256: sha256 }])
      expect(await errorOf(write(sdk(), wrong))).toMatch(/^400 (BadDigest|XAmzContentChecksumMismatch)$/);
    expect(await errorOf(get())).toBe("404 NoSuchKey");
  });

  test("is accepted with correct checksums of every type", async () => {
    const sum = (algorithm: string) => createHash(algorithm).update("a picture").digest("base64");
    await write(sdk(), { ContentMD5: sum("md5") });
    await write(sdk(), { ChecksumSHA256: sum("sha256") });
    await write(sdk(), { ChecksumAlgorithm: "SHA1" });
    await write(sdk());
    expect(await text()).toBe("a picture");
  });
});

describe("objects", () => {
  test("PUT stores a stream with the SDK's default trailer without its framing", async () => {
    const parts = Array.from({ length: 40 }, (_, n) => Buffer.alloc(5000, n));
    const whole = Buffer.concat(parts);
    const client = sdk();
    let payload: string | undefined;
    afterSigning(client, ({ headers }) => {
      payload = headers["x-amz-content-sha256"];
    });
    const body = { Bucket: name(), Key: key, Body: Readable.from(parts), ContentLength: whole.length };
    await client.send(new PutObjectCommand(body));
    expect(payload).toBe("STREAMING-UNSIGNED-PAYLOAD-TRAILER");
    const stored = await get();
    expect(Buffer.from((await stored.Body?.transformToByteArray()) ?? []).equals(whole)).toBe(true);
    expect(stored.ContentEncoding ?? "").not.toContain("aws-chunked");
  });

  test("PUT stores nothing when the checksum in the trailer is wrong", async () => {
    // Silences the SDK, which logs a long warning about a request that it cannot repeat.
    const silent = () => {};
    const quiet = { trace: silent, debug: silent, info: silent, warn: silent, error: silent };
    const client = afterSigning(sdk({ logger: quiet }), (sent) => {
      const framed = `9\r\na picture\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n`;
      sent.body = Buffer.from(framed);
      sent.headers["content-length"] = `${framed.length}`;
      delete sent.headers["transfer-encoding"];
    });
    const body = { Bucket: name(), Key: key, Body: Readable.from(["a picture"]), ContentLength: 9 };
    expect(await errorOf(client.send(new PutObjectCommand(body)))).toMatch(/^400 /);
    expect(await errorOf(get())).toBe("404 NoSuchKey");
  });

  test("PUT with If-None-Match: * returns 412 for an existing key and keeps the object", async () => {
    await put("first", { IfNoneMatch: "*" });
    expect(await errorOf(put("second", { IfNoneMatch: "*" }))).toBe("412 PreconditionFailed");
    expect(await text()).toBe("first");
  });

  test("twenty concurrent PUTs with If-None-Match: * store exactly one object", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        put(`${n}`, { IfNoneMatch: "*" }).then(
          () => `stored ${n}`,
          (error) => `${error.$metadata.httpStatusCode}`,
        ),
      ),
    );
    const stored = outcomes.filter((outcome) => outcome.startsWith("stored"));
    expect(stored).toEqual([`stored ${await text()}`]);
    // S3 may also return 409 for concurrent requests.
    expect(outcomes.every((outcome) => /^(?:stored \d+|412|409)$/.test(outcome))).toBe(true);
  });

  test("DELETE returns 204 again for a deleted object", async () => {
    await put();
    for (const _ of [1, 2]) {
      const { $metadata } = await sdk().send(new DeleteObjectCommand({ Bucket: name(), Key: key }));
      expect($metadata.httpStatusCode).toBe(204);
    }
    expect(await errorOf(get())).toBe("404 NoSuchKey");
  });

  test("GET returns the stored content type, caching, disposition, encoding, language and metadata", async () => {
    const served = {
      ContentType: "image/webp",
      CacheControl: "private, max-age=604800, immutable",
      ContentDisposition: 'attachment; filename="a b.webp"',
      ContentEncoding: "identity",
      ContentLanguage: "de-CH",
      Metadata: { owner: "usr_1", "with-dash": "x y" },
    };
    const etag = await put("a picture", served);
    expect(etag).toBe(`"${createHash("md5").update("a picture").digest("hex")}"`);
    const head = await sdk().send(new HeadObjectCommand({ Bucket: name(), Key: key }));
    expect(head).toMatchObject({ ...served, ETag: etag, ContentLength: 9, AcceptRanges: "bytes" });
    expect(Math.abs((head.LastModified?.getTime() ?? 0) - Date.now())).toBeLessThan(10_000);
    expect(await get()).toMatchObject({ ...served, ETag: etag, ContentLength: 9 });
    // Replaces the object and all its headers by an empty one.
    await put(Buffer.alloc(0));
    const empty = await get();
    expect([empty.ContentLength, empty.CacheControl, empty.Metadata]).toEqual([0, undefined, {}]);
    expect(await empty.Body?.transformToString()).toBe("");
  });

  test("HEAD returns 404 for a missing object", async () => {
    expect(await errorOf(sdk().send(new HeadObjectCommand({ Bucket: name(), Key: key })))).toBe(
      "404 NotFound",
    );
  });

  test("GET supports ranges", async () => {
    await put("0123456789");
    const range = async (Range: string) => {
      const part = await get({ Range });
      return [part.$metadata.httpStatusCode, part.ContentRange, await part.Body?.transformToString()];
    };
    expect(await range("bytes=2-4")).toEqual([206, "bytes 2-4/10", "234"]);
    expect(await range("bytes=7-")).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await range("bytes=-2")).toEqual([206, "bytes 8-9/10", "89"]);
    expect(await range("bytes=8-99")).toEqual([206, "bytes 8-9/10", "89"]);
    expect(await errorOf(get({ Range: "bytes=10-" }))).toBe("416 InvalidRange");
  });

  test("GET evaluates conditions with 304 and 412", async () => {
    const etag = await put();
    const status = (headers: Record<string, string>) => statusOf(signed(), { headers });
    const [before, after] = [-86_400_000, 60_000].map((ms) => new Date(Date.now() + ms).toUTCString()) as [
      string,
      string,
    ];
    expect(await status({ "if-none-match": etag })).toBe("304");
    expect(await status({ "if-none-match": '"other"' })).toBe("200");
    expect(await status({ "if-modified-since": after })).toMatch(/^(304|200)$/);
    expect(await status({ "if-modified-since": before })).toBe("200");
    expect(await status({ "if-match": etag })).toBe("200");
    expect(await status({ "if-match": '"other"' })).toBe("412 PreconditionFailed");
    expect(await status({ "if-unmodified-since": before })).toBe("412 PreconditionFailed");
    expect(await status({ "if-unmodified-since": after })).toBe("200");
  });

  test("GET applies signed response-* parameters", async () => {
    await put("a picture", { ContentType: "image/webp", CacheControl: "no-store" });
    const command = new GetObjectCommand({
      Bucket: name(),
      Key: key,
      ResponseContentType: "text/plain",
      ResponseCacheControl: "max-age=1",
      ResponseContentDisposition: 'attachment; filename="ü.webp"',
    });
    const { headers } = await fetch(await getSignedUrl(sdk(), command));
    expect(headers.get("content-type")).toBe("text/plain");
    expect(headers.get("cache-control")).toBe("max-age=1");
    expect(headers.get("content-disposition")).toContain("attachment");
  });

  test("PUT rejects a key of 1,025 bytes, and HEAD returns 404 for a missing bucket", async () => {
    key = prefix + "k".repeat(1025 - prefix.length);
    expect(await errorOf(put())).toBe("400 KeyTooLongError");
    const elsewhere = new HeadBucketCommand({ Bucket: `missing-${randomUUID()}` });
    expect(await errorOf(sdk().send(elsewhere))).toMatch(/^404/);
    await sdk().send(new HeadBucketCommand({ Bucket: name() }));
  });
});

describe("ListObjectsV2", () => {
  const odd = ["a b", "a+b", "a%20b", "a'(b)*", "a&<b>", "é漢😀", "\uffee", "k".repeat(900)];

  test("returns unusual keys unchanged, in the order of their bytes", async () => {
    const folder = `${prefix}odd/`;
    for (const each of odd) {
      key = folder + each;
      await put(each);
    }
    const { Contents } = await sdk().send(new ListObjectsV2Command({ Bucket: name(), Prefix: folder }));
    const sorted = odd.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(Contents?.map(({ Key }) => Key?.slice(folder.length))).toEqual(sorted);
    expect(Contents?.map(({ Size }) => Size)).toEqual(sorted.map((each) => Buffer.byteLength(each)));
    for (const { LastModified, ETag } of Contents ?? []) {
      expect(Math.abs((LastModified?.getTime() ?? 0) - Date.now())).toBeLessThan(30_000);
      expect(ETag).toMatch(/^"[0-9a-f]{32}"$/);
    }
  });

  test("supports prefix, delimiter and start-after, and paginates without gaps or duplicates", async () => {
    const folder = `${prefix}tree/`;
    for (const leaf of ["1", "2/a", "2/b", "2/c/d", "3", "4/a", "5"]) {
      key = folder + leaf;
      await put(leaf);
    }
    const list = (more: object = {}) =>
      sdk().send(new ListObjectsV2Command({ Bucket: name(), Prefix: folder, ...more }));
    const cut = (text?: string) => text?.slice(folder.length);
    const seen = async (Delimiter: string | undefined, MaxKeys: number) => {
      const found: (string | undefined)[] = [];
      let ContinuationToken: string | undefined;
      do {
        const page = await list({ Delimiter, MaxKeys, ContinuationToken });
        expect(page.KeyCount).toBeLessThanOrEqual(MaxKeys);
        for (const { Key } of page.Contents ?? []) found.push(cut(Key));
        for (const { Prefix } of page.CommonPrefixes ?? []) found.push(cut(Prefix));
        expect(page.IsTruncated).toBe(page.NextContinuationToken !== undefined);
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken);
      return found.sort();
    };
    for (const size of [1, 2, 3, 1000]) {
      expect(await seen("/", size)).toEqual(["1", "2/", "3", "4/", "5"]);
      expect(await seen(undefined, size)).toEqual(["1", "2/a", "2/b", "2/c/d", "3", "4/a", "5"]);
    }
    const later = await list({ StartAfter: `${folder}3` });
    expect(later.Contents?.map(({ Key }) => cut(Key))).toEqual(["4/a", "5"]);
    const none = await list({ Prefix: `${folder}none` });
    expect([none.KeyCount, none.Contents, none.IsTruncated]).toEqual([0, undefined, false]);
  });

  test("returns 400 for a continuation token that no page has returned", async () => {
    const list = (ContinuationToken: string) =>
      sdk().send(new ListObjectsV2Command({ Bucket: name(), Prefix: prefix, ContinuationToken }));
    for (const token of ["junk", "YWJj", `${"0".repeat(16)}.YWJj`, "é"])
      expect(await errorOf(list(token)), token).toBe("400 InvalidArgument");
  });
});

describe("DeleteObjects", () => {
  const removeMany = (keys: readonly string[], Quiet = true) =>
    sdk().send(
      new DeleteObjectsCommand({ Bucket: name(), Delete: { Objects: keys.map((Key) => ({ Key })), Quiet } }),
    );

  test("deletes the given keys, those with special characters and missing ones too, and no other", async () => {
    const keys = ["a", "a&b<c>'d\"", "ü 漢/+%", "missing"].map((end) => `${prefix}many/${end}`);
    for (key of keys.slice(0, 3)) await put();
    key = `${prefix}many/kept`;
    await put();
    const { Errors, Deleted } = await removeMany(keys);
    expect([Errors, Deleted]).toEqual([undefined, undefined]);
    expect((await removeMany(keys.slice(0, 2), false)).Deleted).toEqual(
      keys.slice(0, 2).map((Key) => ({ Key })),
    );
    const left = await sdk().send(new ListObjectsV2Command({ Bucket: name(), Prefix: `${prefix}many/` }));
    expect(left.Contents?.map(({ Key }) => Key)).toEqual([key]);
  });

  test("returns 400 for no key and for more than 1,000", async () => {
    expect(await errorOf(removeMany([]))).toBe("400 MalformedXML");
    const keys = Array.from({ length: 1001 }, (_, n) => `${prefix}none/${n}`);
    expect(await errorOf(removeMany(keys))).toBe("400 MalformedXML");
  });
});

describe.skipIf(externalEndpoint)("the local bucket", () => {
  const allowedOrigin = async (response: Promise<Response>) =>
    (await response).headers.get("access-control-allow-origin");

  test("lets pages of one origin GET objects of one bucket, and nothing else", async () => {
    const preflight = async (from: string, method = "GET", headers = "", address = signed()) => {
      const sent = {
        origin: from,
        "access-control-request-method": method,
        ...(headers && { "access-control-request-headers": headers }),
      };
      const response = fetch(address, { method: "OPTIONS", headers: sent });
      return [(await response).status, await allowedOrigin(response)];
    };
    expect(await preflight(origin)).toEqual([200, origin]);
    expect(await preflight("https://evil.example.com")).toEqual([403, null]);
    expect((await preflight(origin, "PUT"))[0]).toBe(403);
    expect((await preflight(origin, "GET", "authorization"))[0]).toBe(403);
    const inFiles = signGet(signer(storage), "svc-files", [key], now(), 60)[0];
    expect(await preflight(origin, "GET", "", inFiles)).toEqual([403, null]);
    await put();
    const read = (from: string, method = "GET") =>
      allowedOrigin(fetch(signed(), { method, headers: { origin: from } }));
    expect([await read(origin), await read(origin, "PUT")]).toEqual([origin, null]);
    expect(await read("https://evil.example.com")).toBeNull();
  });

  test("restricts each key to its permissions", async () => {
    await put();
    const denied = "403 AccessDenied";
    const outcome = async (accessKeyId: string) => {
      const client = sdk({ credentials: { accessKeyId, secretAccessKey: "s" } });
      const object = { Bucket: name(), Key: key };
      const tried: Record<string, string> = {};
      for (const [action, send] of Object.entries({
        get: () => client.send(new GetObjectCommand(object)),
        put: () => client.send(new PutObjectCommand({ ...object, Body: "b" })),
        list: () => client.send(new ListObjectsV2Command({ Bucket: name() })),
        remove: () => client.send(new DeleteObjectCommand(object)),
        missing: () => client.send(new GetObjectCommand({ Bucket: name(), Key: `${prefix}missing` })),
      }))
        tried[action] = await send().then(
          () => "done",
          (error) => `${error.$metadata.httpStatusCode} ${error.name}`,
        );
      await put();
      return tried;
    };
    const nothing = { get: denied, put: denied, list: denied, remove: denied, missing: denied };
    expect(await outcome("AKIDREAD")).toEqual({ ...nothing, get: "done" });
    expect(await outcome("AKIDWRITE")).toEqual({ ...nothing, get: "done", put: "done", remove: "done" });
    expect(await outcome("AKIDSWEEP")).toEqual({
      ...nothing,
      get: "done",
      list: "done",
      remove: "done",
      missing: "404 NoSuchKey",
    });
    expect(await outcome("AKIDFILES")).toEqual(nothing);
  });

  test("returns 501 for unsupported parameters and headers", async () => {
    await put();
    for (const attempt of [
      () => put("b", { ACL: "public-read" }),
      () => put("b", { CopySource: "a/b", Tagging: "a=b" }),
      () => put("b", { IfMatch: '"x"' }),
      () => get({ VersionId: "1" }),
      () => get({ PartNumber: 1 }),
    ])
      expect(await errorOf(attempt())).toBe("501 NotImplemented");
    expect(await text()).toBe("a picture");
  });

  test("returns 400 for a malformed path and serves no file outside its directory", async () => {
    const status = (path: string) =>
      new Promise((resolve, reject) => {
        request({ port: local?.port, host: "127.0.0.1", path }, (response) =>
          resolve(response.resume().statusCode),
        )
          .once("error", reject)
          .end();
      });
    expect(await status("/svc-avatars/%E0%A4%A")).toBe(400);
    expect(await status("/svc-avatars/../../etc/passwd")).toBe(403);
  });

  test("rejects a body over the limit before reading it, and stores nothing of an interrupted one", async () => {
    const bucket = local as LocalBucket;
    const command = new PutObjectCommand({ Bucket: name(), Key: key });
    const send = (length: number) =>
      getSignedUrl(sdk({ requestChecksumCalculation: "WHEN_REQUIRED" }), command).then((address) =>
        request(address, { method: "PUT", headers: { "content-length": length } }),
      );
    const large = await send(2 ** 30);
    large.flushHeaders();
    const [response] = await once(large, "response");
    expect(response.statusCode).toBe(400);
    large.destroy();

    const arrived = new Promise<void>((resolve) => {
      bucket.fail = () => void resolve();
    });
    const broken = await send(1000);
    broken.on("error", () => {});
    broken.write("only a part");
    await arrived;
    broken.destroy();
    bucket.fail = undefined;
    expect(await errorOf(get())).toBe("404 NoSuchKey");
  });

  test("fails as a test requests: with a status, without a response, or with a reset connection", async () => {
    const bucket = local as LocalBucket;
    await put();
    try {
      const seen: unknown[] = [];
      bucket.fail = (asked) => {
        seen.push(asked);
        return 503;
      };
      expect(await statusOf(signed())).toBe("503 InternalError");
      expect(seen).toEqual([{ method: "GET", bucket: "svc-avatars", key }]);
      bucket.fail = () => "reset";
      await expect(fetch(signed())).rejects.toThrow();
      const hung = new AbortController();
      bucket.fail = () => {
        setImmediate(() => hung.abort());
        return "hang";
      };
      await expect(fetch(signed(), { signal: hung.signal })).rejects.toThrow("aborted");
    } finally {
      bucket.fail = undefined;
    }
  });

  test("keeps objects and their headers after a restart", async () => {
    const options = { directory: join(directory, "restart"), region: storage.region, buckets: [name()] };
    const start = () => listen({ ...options, credentials: [storage] });
    const first = await start();
    await sdk({ endpoint: first.url }).send(
      new PutObjectCommand({ Bucket: name(), Key: "a/ü", Body: "line\nline", CacheControl: "no-store" }),
    );
    await first.close();
    const second = await start();
    expect(second.keys(name())).toEqual(["a/ü"]);
    const found = await sdk({ endpoint: second.url }).send(
      new GetObjectCommand({ Bucket: name(), Key: "a/ü" }),
    );
    expect([found.CacheControl, await found.Body?.transformToString()]).toEqual(["no-store", "line\nline"]);
    await second.close();
  });

  test("has no torn or outdated object after ten SIGKILLs during overwrites", async () => {
    const folder = join(directory, "crash");
    const keys = ["one", "two", "three"];
    const bodyOf = (n: number) => Buffer.alloc(1 + ((n * 40_009) % 400_000), `${n};`);
    const acknowledged = new Map<string, number>();
    let n = 0;
    for (let round = 0; round < 10; round++) {
      const { child, client } = await inChild(folder);
      let killed = false;
      const from = n;
      const writers = keys.map(async (each) => {
        while (!killed) {
          const mine = ++n;
          const body = { Bucket: name(), Key: each, Body: bodyOf(mine), Metadata: { n: `${mine}` } };
          await client.send(new PutObjectCommand(body)).then(
            () => acknowledged.set(each, mine),
            (error) => {
              if (!killed) throw error;
            },
          );
        }
      });
      while (n < from + 6 + round) await tick();
      killed = child.kill("SIGKILL");
      await Promise.all([...writers, once(child, "exit")]);
    }

    const after = await listen({
      directory: folder,
      region: storage.region,
      buckets: [name()],
      credentials: [storage],
    });
    expect(after.keys(name())).toEqual(keys.toSorted());
    for (const each of keys) {
      const found = await sdk({ endpoint: after.url }).send(
        new GetObjectCommand({ Bucket: name(), Key: each }),
      );
      const body = Buffer.from((await found.Body?.transformToByteArray()) ?? []);
      const stored = Number(found.Metadata?.n);
      expect(body.equals(bodyOf(stored)), each).toBe(true);
      expect(found.ETag).toBe(`"${createHash("md5").update(body).digest("hex")}"`);
      expect(stored).toBeGreaterThanOrEqual(acknowledged.get(each) ?? Number.POSITIVE_INFINITY);
    }
    await after.close();
  });

  /** Starts the bucket in a child process that a test can kill. */
  async function inChild(folder: string): Promise<{ child: ChildProcess; client: S3Client }> {
    const options = {
      directory: folder,
      region: storage.region,
      buckets: [name()],
      credentials: [storage],
    };
    const program = `
      const { listen } = await import(${JSON.stringify(new URL("bucket.ts", import.meta.url).href)});
      console.log((await listen(${JSON.stringify(options)})).url);`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [url] = await once(child.stdout, "data");
    return { child, client: sdk({ endpoint: `${url}`.trim() }) };
  }
});
