import type { WorkspaceSettings } from "@svc/client";
import { useQuery } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { plainDay } from "../../base/format.ts";
import type { Part } from "../../base/versions.ts";
import { messages } from "./messages.ts";

const yesNo = (value: boolean) => (value ? messages.yes : messages.no);

/** The parts of a workspace that people compare. */
export const workspaceParts: Part<WorkspaceSettings>[] = [
  { label: messages.name, names: ["name"], show: ({ name }) => name },
  {
    label: messages.settings.baseCurrency,
    names: ["baseCurrency"],
    show: ({ baseCurrency }) => baseCurrency,
  },
  {
    label: messages.settings.timezone,
    names: ["timezone"],
    show: ({ timezone }) => timezone.replaceAll("_", " "),
  },
  {
    label: messages.settings.weekStart,
    names: ["weekStart"],
    show: ({ weekStart }) => weekdays()[weekStart - 1] ?? "",
  },
  {
    label: messages.settings.membersSeeMoney,
    names: ["membersSeeMoney"],
    show: ({ membersSeeMoney }) => yesNo(membersSeeMoney),
  },
  {
    label: messages.settings.lockedUntil,
    names: ["lockedUntil"],
    show: ({ lockedUntil }) => (lockedUntil ? plainDay(lockedUntil) : messages.settings.notLocked),
  },
  {
    label: messages.settings.requireTwoFactor,
    names: ["requireTwoFactor"],
    show: ({ requireTwoFactor }) => yesNo(requireTwoFactor),
  },
];

/** Returns the weekdays from Monday to Sunday. */
export function weekdays(): string[] {
  const format = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, at) => format.format(Date.UTC(2024, 0, 1 + at)));
}

/** Loads the settings of the current workspace, such as its time zone, first day of the week and currency. */
export function useWorkspaceSettings() {
  const { workspace } = useCurrentUser();
  return useQuery({
    queryKey: ["workspace", workspace.id],
    queryFn: ({ signal }) => svc.get("/api/v1/workspace", { signal }),
  });
}

/** Tells whether the user sees hourly rates and budgets. False for members until the settings have loaded. */
export function useSeesMoney(): boolean {
  const { workspace } = useCurrentUser();
  const settings = useWorkspaceSettings();
  return hasRole(workspace.role, "manager") || settings.data?.membersSeeMoney === true;
}
