import type { NewTimeEntry } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { duration, timeZone } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ComboField } from "../../ui/combo-field.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { DateTimeField } from "../../ui/date-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { useTwoZones } from "../workspace/zone-note.tsx";
import { useCorrectablePeople } from "./correctable.ts";
import { refreshEntries, type TimeEntry } from "./entries.ts";
import { entryParts } from "./entry-parts.ts";
import { entryDialogMessages } from "./messages.ts";
import { type Project, projectOptions } from "./projects.ts";
import { instantOf, localTime } from "./time-zone.ts";

/** Adds or edits a time entry. Times are in the user's time zone. */
export function EntryDialog({
  entry,
  projects,
  onClose,
}: {
  /** The entry to edit; omitted to add one. */
  entry?: TimeEntry | undefined;
  projects: readonly Project[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const { me, workspace } = useCurrentUser();
  const zone = timeZone();
  const zones = useTwoZones();
  const people = useCorrectablePeople({ enabled: !entry });
  const [initial] = useState(() => (entry ? valuesOf(entry, zone) : emptyValues(zone, me.id)));
  const edit = useEdit(entry, entryParts(projects));
  const submit = async (values: Values, idempotencyKey: string) => {
    const changedTimes = (["startedAt", "endedAt"] as const).filter(
      (name) => values[name] !== "" && values[name] !== initial[name],
    );
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
    const { saved } = entry
      ? await edit.save(body, (changes, ifMatch) =>
          svc.patch("/api/v1/time-entries/{id}", { path: { id: entry.id }, body: changes, ifMatch }),
        )
      : await add(
          {
            ...body,
            userId: values.userId,
            startedAt: instantOf(values.startedAt, zone).toISOString(),
            endedAt: instantOf(values.endedAt, zone).toISOString(),
          },
          idempotencyKey,
        );
    onClose();
    if (saved) toast(entry ? entryDialogMessages.saved : entryDialogMessages.added);
    await refreshEntries(client);
  };
  const form = useForm(initial, submit, {
    draft: `entry ${entry?.id ?? `new ${workspace.id}`}`,
    creates: !entry,
  });
  // When clocks are set back, a local time means two instants. A time that was not edited means the one of the entry.
  const instant = (name: "startedAt" | "endedAt") =>
    entry?.[name] && form.values[name] === initial[name]
      ? new Date(entry[name])
      : instantOf(form.values[name], zone);
  const seconds = Math.floor((instant("endedAt").getTime() - instant("startedAt").getTime()) / 1000);
  return (
    <Dialog title={entry ? entryDialogMessages.edit : entryDialogMessages.add} onClose={onClose}>
      <Form
        form={form}
        submitLabel={entry ? entryDialogMessages.submit : entryDialogMessages.add}
        actions={<Button onClick={onClose}>{entryDialogMessages.cancel}</Button>}
      >
        {people.length > 1 && (
          <ComboField
            form={form}
            name="userId"
            label={entryDialogMessages.person}
            options={people.map(({ userId, name }) => ({
              value: userId,
              label: userId === me.id ? entryDialogMessages.me : name,
            }))}
          />
        )}
        <TextField form={form} name="description" label={entryDialogMessages.description} maxLength={2000} />
        <ComboField
          form={form}
          name="projectId"
          label={entryDialogMessages.project}
          options={[
            { value: "", label: entryDialogMessages.noProject },
            ...projectOptions(projects, entry?.projectId ?? ""),
          ]}
        />
        <div className="field-pair">
          <DateTimeField form={form} name="startedAt" label={entryDialogMessages.start} required />
          <DateTimeField
            form={form}
            name="endedAt"
            label={entryDialogMessages.end}
            required={entry?.endedAt !== null}
          />
        </div>
        <p className="hint">
          {entry?.endedAt === null
            ? entryDialogMessages.runsOn
            : seconds > 0 && entryDialogMessages.lasts(duration(seconds))}{" "}
          {zones && entryDialogMessages.timesIn(zones.own)}
        </p>
        <TextField
          form={form}
          name="tags"
          label={entryDialogMessages.tags}
          hint={entryDialogMessages.tagsHint}
        />
        <SelectField
          form={form}
          name="billable"
          label={entryDialogMessages.billable}
          options={[
            ...(entry ? [] : [{ value: "", label: entryDialogMessages.projectDefault }]),
            { value: "yes", label: entryDialogMessages.yes },
            { value: "no", label: entryDialogMessages.no },
          ]}
        />
      </Form>
    </Dialog>
  );
}

async function add(body: NewTimeEntry, idempotencyKey: string): Promise<{ saved: true }> {
  await svc.post("/api/v1/time-entries", { body, idempotencyKey });
  return { saved: true };
}

type Values = {
  userId: string;
  description: string;
  projectId: string;
  startedAt: string;
  endedAt: string;
  tags: string;
  billable: string;
};

function valuesOf(entry: TimeEntry, zone: string): Values {
  return {
    userId: entry.userId,
    description: entry.description,
    projectId: entry.projectId ?? "",
    startedAt: localTime(new Date(entry.startedAt), zone),
    endedAt: entry.endedAt ? localTime(new Date(entry.endedAt), zone) : "",
    tags: entry.tags.join(", "),
    billable: entry.billable ? "yes" : "no",
  };
}

/** Suggests the last hour, in whole minutes. */
function emptyValues(zone: string, userId: string): Values {
  const minute = 60_000;
  const now = Math.floor(Date.now() / minute) * minute;
  return {
    userId,
    description: "",
    projectId: "",
    startedAt: localTime(new Date(now - 60 * minute), zone),
    endedAt: localTime(new Date(now), zone),
    tags: "",
    billable: "",
  };
}
