import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import * as Config from "../../core/platform/config/config.ts";

let client: S3Client | undefined;

/** Replaces the object key in each member's `avatar` by a URL that the SDK signs for seven days, as AWS documents it. */
export async function signedBySdk<M extends { avatar: string }>(list: { data: M[] }): Promise<{ data: M[] }> {
  const { bucketAvatars: Bucket, endpoint, region, forcePathStyle, ...credentials } = Config.storage();
  client ??= new S3Client({ endpoint, region, forcePathStyle, credentials });
  const s3 = client;
  const data = await Promise.all(
    list.data.map(async (member) => ({
      ...member,
      avatar:
        member.avatar &&
        (await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: member.avatar }), {
          expiresIn: 604_800,
        })),
    })),
  );
  return { ...list, data };
}
