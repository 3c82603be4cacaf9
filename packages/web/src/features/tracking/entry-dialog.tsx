import { useQueryClient } from "@tanstack/react-query";
import { Problem, patch, post } from "../../base/api.ts";
import { duration } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { refreshEntries, type TimeEntry } from "./entries.ts";
import { type Project, projectOptions } from "./projects.ts";
import { instantOf, localTime } from "./time-zone.ts";

/** Adds or edits a time entry. Times are in the workspace's time zone, which the dialog names. */
export function EntryDialog({
  entry,
  projects,
  zone,
  onClose,
}: {
  /** The entry to edit; omitted to add one. */
  entry?: TimeEntry | undefined;
  projects: readonly Project[];
  zone: string;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const initial = entry ? valuesOf(entry, zone) : emptyValues(zone);
  const form = useForm(initial, async (values) => {
    const changedTimes = (["startedAt", "endedAt"] as const).filter((name) => values[name] !== initial[name]);
    if (values.startedAt === "") throw required("/startedAt", "Start is required.");
    if (values.endedAt === "" && entry?.endedAt !== null) throw required("/endedAt", "End is required.");
    const body = {
      projectId: values.projectId || null,
      description: values.description,
      tags: values.tags
        .split(",")
        .map((tag) => tag.trim())
        .filter(Boolean),
      ...(values.billable && { billable: values.billable === "yes" }),
      // Only edited times are sent, so that the others keep their seconds.
      ...Object.fromEntries(changedTimes.map((name) => [name, instantOf(values[name], zone).toISOString()])),
    };
    if (entry) await patch(`/api/v1/time-entries/${entry.id}`, body);
    else
      await post("/api/v1/time-entries", {
        ...body,
        startedAt: instantOf(values.startedAt, zone).toISOString(),
        endedAt: instantOf(values.endedAt, zone).toISOString(),
      });
    onClose();
    toast(entry ? "Entry saved." : "Entry added.");
    await refreshEntries(client);
  });
  const { startedAt, endedAt } = form.values;
  const seconds = (instantOf(endedAt, zone).getTime() - instantOf(startedAt, zone).getTime()) / 1000;
  return (
    <Dialog title={entry ? "Edit entry" : "Add entry"} onClose={onClose}>
      <Form
        form={form}
        submitLabel={entry ? "Save changes" : "Add entry"}
        actions={<Button onClick={onClose}>Cancel</Button>}
      >
        <TextField form={form} name="description" label="Description" maxLength={2000} />
        <SelectField
          form={form}
          name="projectId"
          label="Project"
          options={[{ value: "", label: "No project" }, ...projectOptions(projects, entry?.projectId ?? "")]}
        />
        <div className="field-pair">
          <TextField form={form} name="startedAt" label="Start" type="datetime-local" />
          <TextField form={form} name="endedAt" label="End" type="datetime-local" />
        </div>
        <p className="hint">
          {seconds > 0 ? `${duration(seconds)} · ` : ""}
          {entry?.endedAt === null ? "Without an end, the timer keeps running. " : ""}
          Times in {zone.replaceAll("_", " ")}
        </p>
        <TextField form={form} name="tags" label="Tags" hint="Separated by commas" />
        <SelectField
          form={form}
          name="billable"
          label="Billable"
          options={[
            ...(entry ? [] : [{ value: "", label: "Project default" }]),
            { value: "yes", label: "Yes" },
            { value: "no", label: "No" },
          ]}
        />
      </Form>
    </Dialog>
  );
}

type Values = {
  description: string;
  projectId: string;
  startedAt: string;
  endedAt: string;
  tags: string;
  billable: string;
};

function valuesOf(entry: TimeEntry, zone: string): Values {
  return {
    description: entry.description,
    projectId: entry.projectId ?? "",
    startedAt: localTime(new Date(entry.startedAt), zone),
    endedAt: entry.endedAt ? localTime(new Date(entry.endedAt), zone) : "",
    tags: entry.tags.join(", "),
    billable: entry.billable ? "yes" : "no",
  };
}

/** Suggests the last hour, in whole minutes. */
function emptyValues(zone: string): Values {
  const minute = 60_000;
  const now = Math.floor(Date.now() / minute) * minute;
  return {
    description: "",
    projectId: "",
    startedAt: localTime(new Date(now - 60 * minute), zone),
    endedAt: localTime(new Date(now), zone),
    tags: "",
    billable: "",
  };
}

/** Returns the validation error that the API would return for a missing field. */
function required(pointer: string, detail: string): Problem {
  return new Problem(422, { code: "invalid_input", detail, errors: [{ pointer, code: "required", detail }] });
}
