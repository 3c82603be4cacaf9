import { router } from "./router.ts";

const { distribution } = router.nodes.cdn.nodes;

/**
 * The client as `npm run build` has made it. Paths that are no file are answered with index.html, since they are the
 * client's own pages.
 */
export const web = new sst.aws.StaticSite("Web", {
  path: `${$cli.paths.root}/packages/web/dist/site`,
  router: { instance: router },
  assets: {
    fileOptions: [
      { files: "**", cacheControl: "no-cache" },
      { files: "assets/**", cacheControl: "public, max-age=31536000, immutable" },
    ],
    // Whoever has the page open goes on with the version that they have.
    purge: false,
  },
  // Names of files change with what is in them, and those that keep their names are asked for anew.
  invalidation: false,
  transform: {
    assets: (args) => {
      // Left alone, every distribution of every account could read it.
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
