import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type * as Config from "../../core/platform/config/config.ts";

/** Replaces packages/core/platform/storage/signer.ts with the AWS SDK, which can sign only asynchronously. */
export const sevenDays = 604_800;

/** Creates the SDK's client from a storage configuration. */
export function signer({ accessKeyId, secretAccessKey, region, endpoint, forcePathStyle }: Config.Storage) {
  return new S3Client({ region, endpoint, forcePathStyle, credentials: { accessKeyId, secretAccessKey } });
}

/** Returns pre-signed GET URLs for objects, in the order of their keys. */
export function signGet(
  client: S3Client,
  bucket: string,
  keys: readonly string[],
  signingDate: Date,
  expiresIn: number = sevenDays,
): Promise<string[]> {
  return Promise.all(
    keys.map((Key) =>
      getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key }), { expiresIn, signingDate }),
    ),
  );
}
