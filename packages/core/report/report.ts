import * as z from "zod/mini";
import type { Actor } from "../base/actor.ts";
import * as Clock from "../base/clock.ts";
import { Fault } from "../base/fault.ts";
import { Id } from "../base/id.ts";
import { Instant } from "../base/instant.ts";
import * as Config from "../platform/config/config.ts";
import { memoizeByConfig } from "../platform/config/memoize.ts";
import { db } from "../platform/db/engine.ts";
import { sevenDays, signer, signGet } from "../platform/storage/signer.ts";
import { type Membership, reaches } from "../workspace/authorization.ts";
import { type Format, formats, objectKey } from "./object-key.ts";

export const View = z.object({
  id: Id,
  format: z.enum(formats),
  /** File size in bytes. */
  size: z.int(),
  signedUrl: z.string(),
  /**
   * When the URL expires: after seven days, after ten minutes if the workspace has an IP allowlist, or earlier if the file is
   * deleted first.
   */
  expiresAt: Instant,
});
export type View = z.infer<typeof View>;

/**
 * Lifetime in seconds of the URLs of a workspace with an IP allowlist. The bucket does not check the list, so a URL has to end
 * soon after it was requested from an allowed IP address.
 */
export const restrictedSeconds = 600;

/** A generated report without a download URL. */
export type Report = { id: string; workspaceId: string; format: Format; size: number; keptUntil: string };

const storageSigner = memoizeByConfig(Config.storage, (storage) => ({
  bucket: storage.bucket,
  signer: signer(storage),
}));

/**
 * Returns a generated report. Members can read their own reports on their own time, managers can read all. Throws `missing`
 * `report_not_found`, also for an expired report.
 */
export async function get(
  actor: Actor,
  membership: Membership,
  id: string,
  now: Date = Clock.now(),
): Promise<Report> {
  let query = db()
    .selectFrom("reports")
    .selectAll()
    .where("id", "=", id)
    .where("workspace_id", "=", membership.workspaceId)
    .where("expires_at", ">", now);
  // A member who was a manager earlier may have created reports on everyone's time.
  if (!reaches(membership.role, "manager"))
    query = query.where("user_id", "=", actor.userId).where("everybodys", "=", false);
  const row = await query.executeTakeFirst();
  if (!row) throw new Fault("missing", "report_not_found", "Report not found.");
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    format: row.format as Format,
    size: Number(row.size_bytes),
    keptUntil: row.expires_at.toISOString(),
  };
}

/** Adds a download URL to a report, signed at each call. */
export function withSignedUrl(
  { id, workspaceId, format, size, keptUntil }: Report,
  { ipRestricted }: Pick<Membership, "ipRestricted">,
  now: Date = Clock.now(),
): View {
  const { bucket, signer } = storageSigner();
  const left = Math.floor((Date.parse(keptUntil) - now.getTime()) / 1000);
  const seconds = Math.max(Math.min(ipRestricted ? restrictedSeconds : sevenDays, left), 1);
  const [signedUrl = ""] = signGet(signer, bucket, [objectKey(workspaceId, id, format)], now, seconds);
  return { id, format, size, signedUrl, expiresAt: new Date(now.getTime() + seconds * 1000).toISOString() };
}
