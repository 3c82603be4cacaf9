import * as DeviceList from "@svc/core/identity/devices/device-list";
import * as z from "zod/mini";
import { api } from "../../http/api.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Lists the devices that the caller has signed in on. */
export const handler = api({
  summary: "List your devices",
  returns: { 200: z.object({ data: z.array(DeviceList.View) }) },
})
  .use(signedIn())
  .handler(async ({ actor }) => ({ data: await DeviceList.list(actor) }));
