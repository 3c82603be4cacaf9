import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import * as Clock from "../../base/clock.ts";
import { Fault } from "../../base/fault.ts";
import type * as Config from "../config/config.ts";

/** Options of a stored object. */
export type PutOptions = {
  contentType: string;
  cacheControl?: string;
  /** The Content-Disposition header of downloads (RFC 6266). */
  contentDisposition?: string;
  /** Store nothing if the key exists. Otherwise an existing object is replaced. */
  ifAbsent?: true;
};

/** An object in a listing. */
export type ListedObject = { key: string; lastModified: Date; size: number };

/** The metadata of an object. */
export type ObjectMetadata = {
  contentType: string;
  cacheControl: string | undefined;
  size: number;
  lastModified: Date;
};

/** A bucket of an S3-compatible store. Every failure is an `upstream` `storage_unavailable` fault with its cause. */
export type Bucket = {
  /**
   * Stores an object. With `ifAbsent`, returns `exists` if the key exists or is being written by another upload. The existing
   * object can be this call's own, if the response to its first attempt was lost.
   */
  put(key: string, body: Uint8Array, options: PutOptions): Promise<"stored" | "exists">;
  /** Removes an object. A missing object is not an error. */
  remove(key: string): Promise<void>;
  /** Removes up to 1,000 objects in one request. Throws if one of them could not be removed. */
  removeAll(keys: readonly string[]): Promise<void>;
  /** Returns the content of an object. A missing one is a fault. */
  get(key: string): Promise<Uint8Array>;
  /**
   * Returns the metadata of an object, or undefined if it does not exist. Needs an access key that may list the bucket: for
   * other keys S3 reports a missing object as forbidden, which is a fault here.
   */
  head(key: string): Promise<ObjectMetadata | undefined>;
  /**
   * Iterates over the objects whose keys begin with the prefix, in key order, from the first one after the key `after`.
   * Pages are fetched as needed.
   */
  list(prefix: string, after?: string): AsyncGenerator<ListedObject, void, undefined>;
};

/** Timeout of a response from the store. */
const responseTimeoutMs = 5000;

/**
 * Returns a client for one bucket. Sends nothing before the first call. A call makes at most three attempts of 6 seconds
 * each: 1 to connect and 5 for the response.
 */
export function bucket(storage: Config.Storage, name: string): Bucket {
  const { accessKeyId, secretAccessKey, endpoint, region, forcePathStyle } = storage;
  let clockOffset = Clock.offset();
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Some S3-compatible stores do not support the checksums that the AWS client adds by default.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 3,
    // Without throwOnRequestTimeout the client only logs a warning and keeps waiting.
    requestHandler: {
      connectionTimeout: 1000,
      requestTimeout: responseTimeoutMs,
      throwOnRequestTimeout: true,
    },
    systemClockOffset: clockOffset,
  });

  /**
   * Applies changes of our clock to the client's offset. The client also corrects its offset itself, from the store's
   * responses.
   */
  function syncClock() {
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
      // Allow one more second per 4 MB.
      const timeouts = { requestTimeout: responseTimeoutMs + body.length / 4000 };
      syncClock();
      if (ifAbsent)
        try {
          await client.send(new PutObjectCommand({ ...object, IfNoneMatch: "*" }), timeouts);
          return "stored";
        } catch (error) {
          const status = statusOf(error);
          // 412: the object exists. 409: another upload of this key is in progress.
          if (status === 412 || status === 409) return "exists";
          // 501: the store does not support conditional writes.
          if (status !== 501) throw unavailable(error);
        }
      await client.send(new PutObjectCommand(object), timeouts).catch(throwUnavailable);
      return "stored";
    },

    async remove(key) {
      syncClock();
      await client.send(new DeleteObjectCommand({ Bucket: name, Key: key })).catch((error) => {
        // S3 responds with 204 when the object is missing; some other stores respond with 404.
        if (!(error instanceof S3ServiceException && error.name === "NoSuchKey")) throwUnavailable(error);
      });
    },

    async removeAll(keys) {
      if (keys.length === 0) return;
      syncClock();
      const objects = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
      const { Errors: [failed] = [] } = await client
        .send(new DeleteObjectsCommand({ Bucket: name, Delete: objects }))
        .catch(throwUnavailable);
      if (failed) throw unavailable(new Error(`${failed.Code}: ${failed.Message} (${failed.Key})`));
    },

    async get(key) {
      syncClock();
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: key }));
        return (await Body?.transformToByteArray()) ?? new Uint8Array();
      } catch (error) {
        throw unavailable(error);
      }
    },

    async head(key) {
      syncClock();
      const found = await client
        .send(new HeadObjectCommand({ Bucket: name, Key: key }))
        .catch((error) => (statusOf(error) === 404 ? undefined : throwUnavailable(error)));
      return (
        found && {
          contentType: found.ContentType ?? "application/octet-stream",
          cacheControl: found.CacheControl,
          size: found.ContentLength ?? 0,
          lastModified: found.LastModified ?? new Date(0),
        }
      );
    },

    async *list(prefix, after = "") {
      let next: string | undefined;
      do {
        syncClock();
        const page = await client
          .send(
            new ListObjectsV2Command({
              Bucket: name,
              Prefix: prefix,
              ...(after && { StartAfter: after }),
              ContinuationToken: next,
            }),
          )
          .catch(throwUnavailable);
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
    "The file store is not available. Try again in a moment.",
    { cause },
  );
}

function throwUnavailable(error: unknown): never {
  throw unavailable(error);
}
