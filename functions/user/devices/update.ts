import * as DeviceList from "@svc/core/identity/devices/device-list";
import { api } from "../../http/api.ts";
import { input, path } from "../../http/input.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Renames one of the caller's devices. */
export const handler = api({
  summary: "Rename one of your devices",
  returns: { 200: DeviceList.View },
  codes: { missing: ["device_not_found"] },
})
  .use(signedIn())
  .use(path("id"))
  .use(input(DeviceList.Rename))
  .handler(({ actor, id, input }) => DeviceList.rename(actor, id, input));
