import {
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type * as Config from "../config/config.ts";

export type PutOptions = {
  contentType: string;
  cacheControl?: string;
  /** How a browser saves it (RFC 6266). */
  contentDisposition?: string;
  /** Store nothing when the key is taken. Without it an object of that key is replaced. */
  ifAbsent?: true;
};

export type Entry = { key: string; lastModified: Date; size: number };

export type Head = {
  contentType: string;
  cacheControl: string | undefined;
  size: number;
  lastModified: Date;
};

/** One bucket of an S3-compatible store. Whatever goes wrong is a Fault `storage_unavailable` with its cause. */
export type Bucket = {
  /**
   * `exists` is only ever answered to `ifAbsent`: the key is, or at this moment becomes, an object. That can be our
   * own, when the answer to a first attempt was lost.
   */
  put(key: string, body: Uint8Array, options: PutOptions): Promise<"stored" | "exists">;
  /** The object is gone afterwards, whether or not it was there. */
  remove(key: string): Promise<void>;
  /**
   * What is known about an object; undefined when there is none. S3 says so only to a key that may also list: to any
   * other a missing object is forbidden, so a fault.
   */
  head(key: string): Promise<Head | undefined>;
  /** Every object whose key begins with the prefix, in the order of keys, read page by page as it is iterated. */
  list(prefix: string): AsyncGenerator<Entry, void, undefined>;
};

/** How long the store may take to answer. */
const answerMs = 5000;

/**
 * Opens a bucket with the key of one need; nothing is sent before the first call. A call takes at most three attempts
 * of 6 seconds (1 to connect, 5 to answer).
 */
export function bucket(storage: Config.Storage, name: string): Bucket {
  const { accessKeyId, secretAccessKey, endpoint, region, forcePathStyle } = storage;
  let clockOffset = Clock.offset();
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Other stores do not all know the checksums that AWS's client adds of its own accord.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    // Without throwing, the client only warns of a request that takes too long, and waits on.
    requestHandler: { connectionTimeout: 1000, requestTimeout: answerMs, throwOnRequestTimeout: true },
    systemClockOffset: clockOffset,
  });

  /** The client corrects its own clock by the store's answers, so only what our clock moved since is added. */
  function keepTime() {
    client.config.systemClockOffset += Clock.offset() - clockOffset;
    clockOffset = Clock.offset();
  }

  return {
    async put(key, body, { contentType, cacheControl, contentDisposition, ifAbsent }) {
      const object = {
        Bucket: name,
        Key: key,
        Body: body,
        ContentType: contentType,
        CacheControl: cacheControl,
        ContentDisposition: contentDisposition,
      };
      // The store may take a second longer for every four megabytes.
      const patience = { requestTimeout: answerMs + body.length / 4000 };
      keepTime();
      if (ifAbsent)
        try {
          await client.send(new PutObjectCommand({ ...object, IfNoneMatch: "*" }), patience);
          return "stored";
        } catch (error) {
          const status = statusOf(error);
          // 412: there is an object. 409: another upload of this key is under way.
          if (status === 412 || status === 409) return "exists";
          // 501: a store that knows no conditional put.
          if (status !== 501) throw unavailable(error);
        }
      await client.send(new PutObjectCommand(object), patience).catch(failed);
      return "stored";
    },

    async remove(key) {
      keepTime();
      await client.send(new DeleteObjectCommand({ Bucket: name, Key: key })).catch((error) => {
        // S3 answers 204 to a second removal, some other stores 404.
        if (!(error instanceof S3ServiceException && error.name === "NoSuchKey")) failed(error);
      });
    },

    async head(key) {
      keepTime();
      const found = await client
        .send(new HeadObjectCommand({ Bucket: name, Key: key }))
        .catch((error) => (statusOf(error) === 404 ? undefined : failed(error)));
      return (
        found && {
          contentType: found.ContentType ?? "application/octet-stream",
          cacheControl: found.CacheControl,
          size: found.ContentLength ?? 0,
          lastModified: found.LastModified ?? new Date(0),
        }
      );
    },

    async *list(prefix) {
      let next: string | undefined;
      do {
        keepTime();
        const page = await client
          .send(new ListObjectsV2Command({ Bucket: name, Prefix: prefix, ContinuationToken: next }))
          .catch(failed);
        for (const { Key, LastModified, Size } of page.Contents ?? [])
          if (Key !== undefined && LastModified)
            yield { key: Key, lastModified: LastModified, size: Size ?? 0 };
        next = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (next !== undefined);
    },
  };
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

function unavailable(cause: unknown): Fault {
  return new Fault(
    "upstream",
    "storage_unavailable",
    "The file store does not answer as it should. Try again in a moment.",
    { cause },
  );
}

function failed(error: unknown): never {
  throw unavailable(error);
}
