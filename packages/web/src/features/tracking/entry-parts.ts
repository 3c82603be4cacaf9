import { dayTime } from "../../base/format.ts";
import type { Part } from "../../base/versions.ts";
import type { TimeEntry } from "./entries.ts";
import type { Project } from "./projects.ts";

/** Returns the parts of an entry that people compare. */
export function entryParts(projects: readonly Project[]): Part<TimeEntry>[] {
  const at = (time: string | null) => (time ? dayTime(time) : "running");
  return [
    { label: "Description", names: ["description"], show: ({ description }) => description },
    {
      label: "Project",
      names: ["projectId"],
      show: ({ projectId }) =>
        projectId ? (projects.find(({ id }) => id === projectId)?.name ?? "Another project") : "No project",
    },
    {
      label: "Time",
      names: ["startedAt", "endedAt"],
      show: ({ startedAt, endedAt }) => `${at(startedAt)} – ${at(endedAt)}`,
    },
    { label: "Tags", names: ["tags"], show: ({ tags }) => tags.join(", ") },
    { label: "Billable", names: ["billable"], show: ({ billable }) => (billable ? "Yes" : "No") },
  ];
}
