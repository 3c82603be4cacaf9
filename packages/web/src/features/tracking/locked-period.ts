import { useMemo } from "react";
import { plainDay, timeZone } from "../../base/format.ts";
import { useWorkspaceSettings } from "../workspace/workspace-settings.ts";
import { entryMessages as text } from "./messages.ts";
import { addDays, instantOf, sameClock } from "./time-zone.ts";

/** The days of a workspace on which entries cannot be changed. */
export type LockedPeriod = {
  /** The first instant after them. The days are those of the workspace's time zone, as in the API. */
  end: Date;
  /** The last of them, for messages. Names the time zone if the user has another one. */
  until: string;
};

/** Returns the locked period of the workspace, or undefined if there is none. */
export function useLockedPeriod(): LockedPeriod | undefined {
  const settings = useWorkspaceSettings().data;
  return useMemo(() => {
    if (settings?.plan !== "ENTERPRISE" || !settings.lockedUntil) return undefined;
    const { lockedUntil, timezone } = settings;
    const day = plainDay(lockedUntil);
    return {
      end: instantOf(`${addDays(lockedUntil, 1)}T00:00`, timezone),
      until: sameClock(timezone, timeZone()) ? day : text.dayIn(day, timezone.replaceAll("_", " ")),
    };
  }, [settings]);
}
