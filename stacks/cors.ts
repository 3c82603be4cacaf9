import { router } from "./router.ts";
import { avatars, storageProvider } from "./storage.ts";

/** Lets the client's service worker fetch pictures, so that it can keep them. Not part of storage.ts, on which the router depends. */
new aws.s3.BucketCorsConfiguration(
  "AvatarsCors",
  {
    bucket: avatars.name,
    corsRules: [
      {
        allowedMethods: ["GET"],
        allowedOrigins: [router.url.apply((url) => new URL(url).origin)],
        maxAgeSeconds: 3600,
      },
    ],
  },
  { provider: storageProvider },
);
