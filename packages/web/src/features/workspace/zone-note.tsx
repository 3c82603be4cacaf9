import { timeZone } from "../../base/format.ts";
import { sameClock } from "../tracking/time-zone.ts";
import { zoneMessages as text } from "./messages.ts";
import { useWorkspaceSettings } from "./workspace-settings.ts";

/** Returns the time zones of the user and of the workspace, or undefined where both have the same time. */
export function useTwoZones(): { own: string; workspace: string } | undefined {
  const workspace = useWorkspaceSettings().data?.timezone;
  const own = timeZone();
  if (workspace === undefined || sameClock(own, workspace)) return undefined;
  return { own: own.replaceAll("_", " "), workspace: workspace.replaceAll("_", " ") };
}

/** Says that the page has the times of the user, if those of the workspace differ. */
export function OwnTimes() {
  const zones = useTwoZones();
  return zones && <p className="zone-note hint">{text.ownTimes(zones.own, zones.workspace)}</p>;
}
