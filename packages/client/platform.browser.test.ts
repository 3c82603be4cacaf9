import { hasBrowser, launch } from "@svc/local/testing/chromium";
import { describe, expect, it } from "vitest";
import { platformScript } from "./testing/script.ts";
import { startPlatformServer } from "./testing/server.ts";

const files = {
  "/page": `<script type="module">import "/client.js"; window.result = tryClient("");</script>`,
  "/worker": `<script type="module">
    const worker = new Worker("/worker.js", { type: "module", name: location.origin });
    window.result = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => (Array.isArray(data) ? resolve(data) : reject(new Error(data)));
    });
  </script>`,
  "/worker.js": `import "/client.js"; tryClient(self.name).then(postMessage, ({ stack }) => postMessage(stack));`,
};

describe.skipIf(!hasBrowser)("the client in Chromium", () => {
  it.each(["page", "worker"])("works in a %s", async (place) => {
    await using opened = new AsyncDisposableStack();
    const script = await platformScript(new URL(".", import.meta.url));
    const server = opened.use(await startPlatformServer({ ...files, "/client.js": script }));
    const browser = await launch();
    opened.defer(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${server.url}/${place}`);
    expect(await page.evaluate("result")).toContain("cancels an upload");
  });
});
