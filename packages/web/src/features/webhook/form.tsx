import type { View as Webhook, WithSecret } from "@svc/core/webhook/endpoint";
import { useQueryClient } from "@tanstack/react-query";
import { Problem, patch, post } from "../../base/api.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, type FormState, TextArea, TextField, useForm } from "../../ui/form.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Loaded } from "../../ui/states.tsx";
import { useEventTypes } from "./queries.ts";

/** `events`: names with blanks between them. `headers`: one on each line, name and value with a colon between them. */
type Values = { url: string; events: string; description: string; headers: string };

/** Register a webhook, or change one. `onDone` is given the secret of a new one. */
export function WebhookForm({
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
      headers: written(webhook?.headers ?? {}),
    },
    async ({ url, events, description, headers }) => {
      const body = {
        url: url.trim(),
        events: events.split(" ").filter(Boolean),
        description,
        headers: read(headers),
      };
      const made = await namingHeaders<Webhook & Partial<WithSecret>>(
        webhook ? patch(`/api/v1/webhooks/${webhook.id}`, body) : post("/api/v1/webhooks", body),
      );
      await client.invalidateQueries({ queryKey: ["webhooks"] });
      onDone(made.secret);
    },
  );
  return (
    <Dialog title={webhook ? "Change the webhook" : "New webhook"} onClose={onClose}>
      <Form form={form} submitLabel={webhook ? "Save" : "Create"}>
        <TextField
          form={form}
          name="url"
          label="Address"
          type="url"
          placeholder="https://example.com/hooks"
          hint="It must be reachable from the internet, by https."
          required
        />
        <EventChoice form={form} />
        <TextField form={form} name="description" label="Description" maxLength={500} />
        <TextArea
          form={form}
          name="headers"
          label="Further headers"
          rows={3}
          placeholder="Authorization: Bearer …"
          hint="One on each line, such as X-Source: svc. What looks secret is masked once it is saved; leave [masked] as it is to keep it."
        />
      </Form>
    </Dialog>
  );
}

function EventChoice({ form }: { form: FormState<Values> }) {
  const query = useEventTypes();
  const chosen = form.values.events.split(" ").filter(Boolean);
  const all = chosen.includes("*");
  const toggle = (name: string, on: boolean) =>
    form.set("events", (on ? [...chosen, name] : chosen.filter((one) => one !== name)).join(" "));
  return (
    <fieldset name="events" tabIndex={-1} className="choices" aria-describedby="events-error">
      <legend>Events</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={all}
          onChange={({ target }) => form.set("events", target.checked ? "*" : "")}
        />
        All, also those that are yet to come
      </label>
      <Loaded query={query}>
        {({ data }) => (
          <>
            {data.map(({ type, description }) => (
              <div key={type}>
                <label className="check">
                  <input
                    type="checkbox"
                    checked={all || chosen.includes(type)}
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

function written(headers: Webhook["headers"]): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function read(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:]*):?(.*)$/.exec(line) ?? [];
      return [name?.trim(), value?.trim()];
    }),
  );
}

/** What the server says about a header belongs to the field of all of them, with the header's name. */
async function namingHeaders<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors.map((one) => {
      const [, name] = /^\/headers\/(.*)$/.exec(one.pointer ?? "") ?? [];
      return name === undefined ? one : { ...one, pointer: "/headers", detail: `${name}: ${one.detail}` };
    });
    throw new Problem(error.status, { ...error, detail: error.message, errors });
  }
}
