import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Problem, svc } from "../../base/api.ts";
import { dayTime } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { DateTimeField } from "../../ui/date-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { toast } from "../../ui/toast.tsx";
import { refreshEntries, type TimeEntry } from "./entries.ts";
import { entryMessages as text } from "./messages.ts";
import { instantOf, localTime } from "./time-zone.ts";

/** Splits an entry in two at a time inside it, by default in the middle. */
export function SplitDialog({
  entry: { id, startedAt, endedAt },
  zone,
  onClose,
}: {
  entry: TimeEntry;
  zone: string;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [end] = useState(() => endedAt ?? new Date().toISOString());
  const [initial] = useState(() => {
    const middle = (Date.parse(startedAt) + Date.parse(end)) / 2;
    return { at: localTime(new Date(middle - (middle % 60_000)), zone) };
  });
  const submit = async ({ at }: typeof initial, idempotencyKey: string) => {
    const instant = instantOf(at, zone).getTime();
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
          {text.splitHint(dayTime(startedAt, zone), dayTime(end, zone), zone.replaceAll("_", " "))}
        </p>
      </Form>
    </Dialog>
  );
}
