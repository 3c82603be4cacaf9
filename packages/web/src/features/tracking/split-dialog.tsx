import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Problem, svc } from "../../base/api.ts";
import { dayTime, timeZone } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { DateTimeField } from "../../ui/date-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { useTwoZones } from "../workspace/zone-note.tsx";
import { refreshEntries, type TimeEntry } from "./entries.ts";
import { entryMessages as text } from "./messages.ts";
import { instantOf, localTime } from "./time-zone.ts";

/** Splits an entry in two at a time inside it, by default in the middle. */
export function SplitDialog({
  entry: { id, startedAt, endedAt },
  onClose,
}: {
  entry: TimeEntry;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [end] = useState(() => endedAt ?? new Date().toISOString());
  const zone = timeZone();
  const zones = useTwoZones();
  const middle = (Date.parse(startedAt) + Date.parse(end)) / 2;
  const suggested = new Date(middle - (middle % 60_000));
  const [initial] = useState(() => ({ at: localTime(suggested, zone) }));
  const submit = async ({ at }: typeof initial, idempotencyKey: string) => {
    // When clocks are set back, a local time means two instants. The suggested one is inside the entry.
    const instant = (at === initial.at ? suggested : instantOf(at, zone)).getTime();
    if (!(instant > Date.parse(startedAt) && instant < Date.parse(end))) {
      const errors = [{ pointer: "/at", code: "outside_entry", detail: text.outsideEntry }];
      throw new Problem(422, { code: "outside_entry", detail: text.outsideEntry, errors });
    }
    const body = { at: new Date(instant).toISOString() };
    await svc.post("/api/v1/time-entries/{id}/split", { path: { id }, body, idempotencyKey });
    onClose();
    toast(text.splitDone);
    await refreshEntries(client);
  };
  const form = useForm(initial, submit, { draft: `split ${id}`, creates: true });
  return (
    <Dialog title={text.splitTitle} onClose={onClose}>
      <Form
        form={form}
        submitLabel={text.splitEntry}
        actions={<Button onClick={onClose}>{text.cancel}</Button>}
      >
        <DateTimeField form={form} name="at" label={text.splitAt} required />
        <p className="hint">
          {text.splitHint(dayTime(startedAt), dayTime(end))} {zones && text.timesIn(zones.own)}
        </p>
      </Form>
    </Dialog>
  );
}
