import { router } from "./router.ts";

const { distribution } = router.nodes.cdn.nodes;

/** The web client that `npm run build` produced. Paths without a file return index.html, because the client routes them. */
export const web = new sst.aws.StaticSite("Web", {
  path: `${$cli.paths.root}/packages/web/dist/site`,
  router: { instance: router },
  assets: {
    fileOptions: [
      { files: "**", cacheControl: "no-cache" },
      { files: "assets/**", cacheControl: "public, max-age=31536000, immutable" },
    ],
    // Open pages keep loading the scripts of their version.
    purge: false,
  },
  // File names change with their content, and files with fixed names are revalidated.
  invalidation: false,
  transform: {
    assets: (args) => {
      // By default, every CloudFront distribution of any AWS account could read the bucket.
      args.access = undefined;
      args.cors = false;
      args.policy = [
        {
          actions: ["s3:GetObject"],
          paths: ["*"],
          principals: [{ type: "service", identifiers: ["cloudfront.amazonaws.com"] }],
          conditions: [{ test: "StringEquals", variable: "aws:SourceArn", values: [distribution.arn] }],
        },
      ];
    },
  },
});
