import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles `tryPlatform` with the client in this folder: the function `tryClient(url)` of the global object. */
export async function platformScript(folder: URL): Promise<string> {
  const built = folder.pathname.endsWith("/dist/");
  const extension = built ? "js" : "ts";
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createClient, Problem } from "./client.${extension}";
        import { verifyWebhook } from "./webhook.${extension}";
        import { tryPlatform } from ${JSON.stringify(fileURLToPath(new URL("platform.ts", import.meta.url)))};
        globalThis.tryClient = (url) => tryPlatform({ createClient, Problem, verifyWebhook }, url);`,
      resolveDir: fileURLToPath(folder),
    },
    bundle: true,
    format: "esm",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
