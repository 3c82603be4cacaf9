import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalBucket, listen } from "../bucket/bucket.ts";

export type TestBucket = LocalBucket & { avatars(): string[] };

/** Starts a local bucket and sets the storage variables of this process to it. Close it when done. */
export async function startBucket(): Promise<TestBucket> {
  const directory = await mkdtemp(join(tmpdir(), "svc-bucket-"));
  const storage = {
    STORAGE_ACCESS_KEY_ID: "AKIATESTBUCKET",
    STORAGE_SECRET_ACCESS_KEY: "a secret of the test bucket",
    STORAGE_REGION: "eu-central-2",
  };
  const bucket = await listen({
    directory,
    region: storage.STORAGE_REGION,
    buckets: ["svc-avatars", "svc-files"],
    credentials: [
      { accessKeyId: storage.STORAGE_ACCESS_KEY_ID, secretAccessKey: storage.STORAGE_SECRET_ACCESS_KEY },
    ],
  });
  const before = { ...process.env };
  Object.assign(process.env, storage, { STORAGE_ENDPOINT: bucket.url });
  const { close } = bucket;
  return Object.assign(bucket, {
    avatars: () => bucket.keys("svc-avatars"),
    async close() {
      await close();
      for (const name of [...Object.keys(storage), "STORAGE_ENDPOINT"]) process.env[name] = before[name];
      await rm(directory, { recursive: true, force: true });
    },
  });
}
