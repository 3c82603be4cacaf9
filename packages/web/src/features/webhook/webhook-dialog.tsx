import type { View as Webhook, WithSecret } from "@svc/core/webhook/endpoint";
import { useQueryClient } from "@tanstack/react-query";
import { Problem, patch, post } from "../../base/api.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, type FormState, TextArea, TextField, useForm } from "../../ui/form.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Loaded } from "../../ui/states.tsx";
import { useEventTypes } from "./queries.ts";

/** `events` are separated by spaces. `headers` has one header per line, as `name: value`. */
type Values = { url: string; events: string; description: string; headers: string };

/** Creates or edits a webhook. `onDone` receives the signing secret of a new webhook. */
export function WebhookDialog({
  webhook,
  onDone,
  onClose,
}: {
  webhook?: Webhook;
  onDone: (secret?: string) => void;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const form = useForm<Values>(
    {
      url: webhook?.url ?? "",
      events: webhook?.events.join(" ") ?? "*",
      description: webhook?.description ?? "",
      headers: formatHeaders(webhook?.headers ?? {}),
    },
    async ({ url, events, description, headers }) => {
      const body = {
        url: url.trim(),
        events: events.split(" ").filter(Boolean),
        description,
        headers: parseHeaders(headers),
      };
      const saved = await withHeaderNames<Webhook & Partial<WithSecret>>(
        webhook ? patch(`/api/v1/webhooks/${webhook.id}`, body) : post("/api/v1/webhooks", body),
      );
      await client.invalidateQueries({ queryKey: ["webhooks"] });
      onDone(saved.secret);
    },
  );
  return (
    <Dialog title={webhook ? "Edit webhook" : "New webhook"} onClose={onClose}>
      <Form form={form} submitLabel={webhook ? "Save changes" : "Create webhook"}>
        <TextField
          form={form}
          name="url"
          label="URL"
          type="url"
          placeholder="https://example.com/hooks"
          hint="Must be reachable from the internet over HTTPS."
          required
        />
        <EventChoice form={form} />
        <TextField form={form} name="description" label="Description" maxLength={500} />
        <TextArea
          form={form}
          name="headers"
          label="Custom headers"
          rows={3}
          placeholder="Authorization: Bearer …"
          hint="One per line, for example X-Source: svc. Secret values are masked after saving. Leave [masked] unchanged to keep a value."
        />
      </Form>
    </Dialog>
  );
}

function EventChoice({ form }: { form: FormState<Values> }) {
  const query = useEventTypes();
  const selected = form.values.events.split(" ").filter(Boolean);
  const all = selected.includes("*");
  const toggle = (name: string, checked: boolean) =>
    form.set("events", (checked ? [...selected, name] : selected.filter((one) => one !== name)).join(" "));
  return (
    <fieldset name="events" tabIndex={-1} className="choices" aria-describedby="events-error">
      <legend>Events</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={all}
          onChange={({ target }) => form.set("events", target.checked ? "*" : "")}
        />
        All events, including future ones
      </label>
      <Loaded query={query}>
        {({ data }) => (
          <>
            {data.map(({ type, description }) => (
              <div key={type}>
                <label className="check">
                  <input
                    type="checkbox"
                    checked={all || selected.includes(type)}
                    disabled={all}
                    onChange={({ target }) => toggle(type, target.checked)}
                  />
                  {type}
                </label>
                <p className="hint">
                  <Prose text={description} />
                </p>
              </div>
            ))}
          </>
        )}
      </Loaded>
      <p className="error" id="events-error">
        {form.errors.events}
      </p>
    </fieldset>
  );
}

function formatHeaders(headers: Webhook["headers"]): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function parseHeaders(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:]*):?(.*)$/.exec(line) ?? [];
      return [name?.trim(), value?.trim()];
    }),
  );
}

/** Moves validation errors of single headers to the field for all headers, and adds the header's name. */
async function withHeaderNames<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors.map((one) => {
      const [, name] = /^\/headers\/(.*)$/.exec(one.pointer ?? "") ?? [];
      return name === undefined ? one : { ...one, pointer: "/headers", detail: `${name}: ${one.detail}` };
    });
    throw new Problem(error.status, { ...error, detail: error.message, errors });
  }
}
