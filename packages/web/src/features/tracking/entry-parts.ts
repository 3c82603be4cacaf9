import { dayTime } from "../../base/format.ts";
import type { Part } from "../../base/versions.ts";
import type { TimeEntry } from "./entries.ts";
import { entryDialogMessages } from "./messages.ts";
import type { Project } from "./projects.ts";

/** Returns the parts of an entry that people compare. */
export function entryParts(projects: readonly Project[]): Part<TimeEntry>[] {
  const at = (time: string | null) => (time ? dayTime(time) : entryDialogMessages.running);
  return [
    {
      label: entryDialogMessages.description,
      names: ["description"],
      show: ({ description }) => description,
    },
    {
      label: entryDialogMessages.project,
      names: ["projectId"],
      show: ({ projectId }) =>
        projectId
          ? (projects.find(({ id }) => id === projectId)?.name ?? entryDialogMessages.anotherProject)
          : entryDialogMessages.noProject,
    },
    {
      label: entryDialogMessages.time,
      names: ["startedAt", "endedAt"],
      show: ({ startedAt, endedAt }) => entryDialogMessages.fromTo(at(startedAt), at(endedAt)),
    },
    { label: entryDialogMessages.tags, names: ["tags"], show: ({ tags }) => tags.join(", ") },
    {
      label: entryDialogMessages.billable,
      names: ["billable"],
      show: ({ billable }) => (billable ? entryDialogMessages.yes : entryDialogMessages.no),
    },
  ];
}
