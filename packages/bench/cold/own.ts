const started = performance.now();
const { signer, signGet } = await import("../../core/platform/storage/signer.ts");
const keys = Array.from({ length: 1000 }, (_, at) => `avatars/usr_${at}/1769817600000.webp`);
const own = signer({
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "secret",
  region: "eu-central-2",
  endpoint: "https://s3.eu-central-2.amazonaws.com",
  bucket: "svc-files",
  bucketAvatars: "svc-avatars",
  forcePathStyle: false,
});
signGet(own, "svc-avatars", keys, new Date());
console.log(performance.now() - started);
