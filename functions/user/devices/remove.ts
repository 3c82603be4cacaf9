import * as DeviceList from "@svc/core/identity/devices/device-list";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Removes one of the caller's devices and ends its sessions. */
export const handler = api({
  summary: "Remove one of your devices",
  description: "Ends the sessions of the device.",
  returns: { 204: null },
  codes: { missing: ["device_not_found"] },
})
  .use(signedIn())
  .use(path("id"))
  .handler(({ actor, id }) => DeviceList.remove(actor, id), noContent);
