import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type * as Config from "../../core/platform/config/config.ts";

/** What packages/core/platform/storage/signer.ts would be with the AWS SDK; it can only sign asynchronously. */
export const sevenDays = 604_800;

/** The SDK's client, with the key of one configuration. */
export function signer({ accessKeyId, secretAccessKey, region, endpoint, forcePathStyle }: Config.Storage) {
  return new S3Client({ region, endpoint, forcePathStyle, credentials: { accessKeyId, secretAccessKey } });
}

/** Pre-signed addresses to GET these objects, in the order of their keys. */
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
