import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { long } from "../../testing/sample.ts";
import type * as Config from "../config/config.ts";
import { sevenDays, signer, signGet } from "./signer.ts";

const storage: Config.Storage = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "eu-central-2",
  endpoint: "https://s3.eu-central-2.amazonaws.com",
  bucket: "svc-files",
  bucketAvatars: "svc-avatars",
  forcePathStyle: false,
};
const at = new Date("2026-11-21T09:30:15.250Z");

const endpoints = [
  "https://s3.eu-central-2.amazonaws.com",
  "https://s3.us-east-1.amazonaws.com",
  "https://store.example.com:8443",
  "http://store.example.com",
  "http://localhost:9000",
  "http://127.0.0.1:4566",
  "http://[::1]:9000",
];
const buckets = ["svc-avatars", "svc.avatars.example", "a.b.c", "10.0.0.1", "abc"];
const regions = ["eu-central-2", "us-east-1", "auto"];

/** An SDK client with the settings of bucket.ts. */
function oracle(endpoint: string, region: string, forcePathStyle: boolean): S3Client {
  return new S3Client({
    endpoint,
    region,
    forcePathStyle,
    credentials: storage,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}

function parts(address: string) {
  const { protocol, host, pathname, searchParams } = new URL(address);
  return { protocol, host, pathname, query: Object.fromEntries(searchParams) };
}

/** Segments of all characters that a key may have. Excludes `.` and `..`, which every HTTP client normalizes. */
const segment = fc
  .oneof(
    fc.string({
      unit: fc.constantFrom(..."ab09 +%'()*!~-_.:;=&?#@$,\"<>[]{}|^`é漢😀\t"),
      minLength: 1,
      maxLength: 24,
    }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
  )
  .filter((text) => !/^\.{1,2}$/.test(text));
const keys = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join("/"));

describe("signGet", () => {
  const numRuns = long ? 2000 : 200;

  it(`returns the URLs of the SDK's getSignedUrl for ${numRuns} random keys, dates, expiries, endpoints and buckets`, async () => {
    const clients = new Map<string, S3Client>();
    const styles = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        keys,
        fc.date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true }),
        fc.integer({ min: 1, max: sevenDays }),
        fc.constantFrom(...endpoints),
        fc.constantFrom(...buckets),
        fc.constantFrom(...regions),
        fc.boolean(),
        async (key, date, expiresSeconds, endpoint, bucket, region, forcePathStyle) => {
          // The SDK produces an invalid host here: it prepends the bucket name to the IP address.
          fc.pre(!(/127|::1/.test(endpoint) && bucket === "svc.avatars.example"));
          const id = `${endpoint} ${region} ${forcePathStyle}`;
          const client = clients.get(id) ?? oracle(endpoint, region, forcePathStyle);
          clients.set(id, client);
          const expected = await getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), {
            expiresIn: expiresSeconds,
            signingDate: date,
          });
          const own = signer({ ...storage, endpoint, region, forcePathStyle });
          const [actual] = signGet(own, bucket, [key], date, expiresSeconds);
          expect(parts(actual ?? "")).toEqual(parts(expected));
          styles.add(new URL(expected).host.startsWith(bucket) ? "host" : "path");
        },
      ),
      { numRuns },
    );
    expect([...styles].sort()).toEqual(["host", "path"]);
  }, 60_000);

  it("signs a batch in the order of its keys, each as if signed alone", () => {
    const own = signer(storage);
    const keys = Array.from({ length: 100 }, (_, n) => `avatars/u${n}/${1_700_000_000_000 + n}.webp`);
    expect(signGet(own, "svc-avatars", keys, at)).toEqual(
      keys.flatMap((key) => signGet(signer(storage), "svc-avatars", [key], at)),
    );
    expect(signGet(own, "svc-avatars", [], at)).toEqual([]);
  });

  it("signs for seven days by default and rejects a longer expiry", () => {
    const own = signer(storage);
    expect(signGet(own, "svc-avatars", ["a"], at)[0]).toContain("X-Amz-Expires=604800");
    expect(() => signGet(own, "svc-avatars", ["a"], at, sevenDays + 1)).toThrow(RangeError);
  });

  it("returns equal URLs within one second and different ones afterwards", () => {
    const own = signer(storage);
    const sign = (seconds: number) =>
      signGet(own, "svc-avatars", ["a"], new Date(at.getTime() + seconds * 1000))[0];
    expect(sign(1)).not.toBe(sign(0));
    expect(sign(86_400)).not.toBe(sign(0));
    expect(sign(0.5)).toBe(sign(0));
  });

  it("rejects an empty key, which would sign a listing of the bucket", () => {
    expect(() => signGet(signer(storage), "svc-avatars", ["a", ""], at)).toThrow(RangeError);
  });
});
