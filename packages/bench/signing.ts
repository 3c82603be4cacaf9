import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import aws4 from "aws4";
import { AwsClient } from "aws4fetch";
import { Client as Minio } from "minio";
import { signer, signGet } from "../core/platform/storage/signer.ts";
import { interleaved, table } from "./interleaved.ts";

const storage = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "eu-central-2",
  endpoint: "https://s3.eu-central-2.amazonaws.com",
  bucket: "svc-files",
  bucketAvatars: "svc-avatars",
  forcePathStyle: false,
};
const credentials = { accessKeyId: storage.accessKeyId, secretAccessKey: storage.secretAccessKey };
const keys = Array.from({ length: 1000 }, (_, at) => `avatars/usr_${at}/1769817600000.webp`);
const host = `${storage.bucketAvatars}.s3.${storage.region}.amazonaws.com`;

const svc = signer(storage);
const s3 = new S3Client({ region: storage.region, credentials });
const minio = new Minio({
  endPoint: `s3.${storage.region}.amazonaws.com`,
  region: storage.region,
  accessKey: credentials.accessKeyId,
  secretKey: credentials.secretAccessKey,
});
const fetcher = new AwsClient({ ...credentials, service: "s3", region: storage.region });

/** Compares pre-signing 1,000 GET URLs for seven days with other libraries. */
export async function signing(): Promise<string> {
  const rows = await interleaved(
    [
      { name: "svc, a batch of 1,000", run: () => signGet(svc, storage.bucketAvatars, keys, new Date()) },
      {
        name: "svc, 1,000 calls with one key each",
        run: () => keys.map((key) => signGet(svc, storage.bucketAvatars, [key], new Date())),
      },
      {
        name: "AWS SDK getSignedUrl",
        run: () =>
          Promise.all(
            keys.map((Key) =>
              getSignedUrl(s3, new GetObjectCommand({ Bucket: storage.bucketAvatars, Key }), {
                expiresIn: 604_800,
              }),
            ),
          ),
      },
      {
        name: "minio",
        run: () =>
          Promise.all(keys.map((key) => minio.presignedGetObject(storage.bucketAvatars, key, 604_800))),
      },
      {
        name: "aws4",
        run: () =>
          keys.map((key) =>
            aws4.sign(
              {
                host,
                path: `/${key}?X-Amz-Expires=604800`,
                service: "s3",
                region: storage.region,
                signQuery: true,
              },
              credentials,
            ),
          ),
      },
      {
        name: "aws4fetch",
        run: () =>
          Promise.all(
            keys.map((key) =>
              fetcher.sign(`https://${host}/${key}?X-Amz-Expires=604800`, { aws: { signQuery: true } }),
            ),
          ),
      },
    ],
    15,
  );
  return table("Pre-signing 1,000 GET URLs, seven days (lower is better; ratio to our batch)", rows);
}

/** Compares importing the signer and signing the first 1,000 URLs in a fresh process. */
export async function signingCold(): Promise<string> {
  const cold = (file: string) => () =>
    Number(
      execFileSync(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], { encoding: "utf8" }),
    );
  const rows = await interleaved(
    [
      { name: "svc", run: cold("cold/own.ts") },
      { name: "AWS SDK", run: cold("cold/sdk.ts") },
    ],
    9,
  );
  return table("Import and the first 1,000 URLs, in a fresh process", rows);
}
