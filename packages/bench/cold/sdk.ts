const started = performance.now();
const { GetObjectCommand, S3Client } = await import("@aws-sdk/client-s3");
const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner");
const s3 = new S3Client({
  region: "eu-central-2",
  credentials: { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" },
});
const keys = Array.from({ length: 1000 }, (_, at) => `avatars/usr_${at}/1769817600000.webp`);
await Promise.all(
  keys.map((Key) =>
    getSignedUrl(s3, new GetObjectCommand({ Bucket: "svc-avatars", Key }), { expiresIn: 604_800 }),
  ),
);
console.log(performance.now() - started);
