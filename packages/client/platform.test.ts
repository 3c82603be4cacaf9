import { expect, it } from "vitest";
import * as Client from "./client.ts";
import { tryPlatform } from "./testing/platform.ts";
import { startPlatformServer } from "./testing/server.ts";
import * as Webhook from "./webhook.ts";

it("works in the Node of this repository", async () => {
  await using server = await startPlatformServer();
  expect(await tryPlatform({ ...Client, ...Webhook }, server.url)).toContain("cancels an upload");
});
