import * as DeviceList from "@svc/core/identity/devices/device-list";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** The devices that the caller logged in on. */
export const handler = api({
  summary: "My devices",
  returns: { 200: z.object({ data: z.array(DeviceList.View) }) },
})
  .use(signedIn())
  .handler(async ({ actor }) => ({ data: await DeviceList.list(actor) }));
