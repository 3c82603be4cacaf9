import * as DeviceList from "@svc/core/identity/devices/device-list";
import { api } from "../../http/api.ts";
import { path } from "../../http/input.ts";
import { noContent } from "../../http/reply.ts";
import { signedIn } from "../../http/signed-in.ts";

/** Forget a device; its sessions end. */
export const handler = api({
  summary: "Remove a device of mine and end its sessions",
  returns: { 204: null },
  codes: { missing: ["device_not_found"] },
})
  .use(signedIn())
  .use(path("id"))
  .handler(({ actor, id }) => DeviceList.remove(actor, id), noContent);
