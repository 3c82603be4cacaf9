import * as DeviceList from "@svc/core/identity/devices/device-list";
import { api } from "../../http/api.ts";
import { input, path } from "../../http/input.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Call a device something else. */
export const handler = api({
  summary: "Rename a device of mine",
  returns: { 200: DeviceList.View },
  codes: { missing: ["device_not_found"] },
})
  .use(signedIn())
  .use(path("id"))
  .use(input(DeviceList.Rename))
  .handler(({ actor, id, input }) => DeviceList.rename(actor, id, input));
