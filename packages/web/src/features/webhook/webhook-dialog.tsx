import type { NewWebhook, Webhook, WebhookChanges } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { Problem, svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { useEdit } from "../../ui/conflict.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, type FormState, TextArea, TextField, useForm } from "../../ui/form.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Loaded } from "../../ui/states.tsx";
import { messages } from "./messages.ts";
import { useEventTypes } from "./queries.ts";
import { webhookParts } from "./webhook-parts.ts";

/** Stands for a stored header value, as in the API. */
const mask = "[masked]";

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
  const { workspace } = useCurrentUser();
  const edit = useEdit(webhook, webhookParts);
  const form = useForm<Values>(
    {
      url: webhook?.url ?? "",
      events: webhook?.events.join(" ") ?? "*",
      description: webhook?.description ?? "",
      headers: formatHeaders(webhook?.headers ?? {}),
    },
    async (values) => {
      requireValues(missingValues(webhook, values));
      const { url, events, description, headers } = values;
      const entered = parseHeaders(headers);
      const removed = Object.keys(webhook?.headers ?? {}).filter((name) => !(name in entered));
      const body = {
        url: url.trim(),
        events: events.split(" ").filter(Boolean) as NewWebhook["events"],
        description,
        headers: { ...entered, ...Object.fromEntries(removed.map((name) => [name, null])) },
      };
      const secret = await withHeaderNames(
        webhook ? update(webhook.id, body) : create({ ...body, headers: entered }),
      );
      await client.invalidateQueries({ queryKey: ["webhooks"] });
      onDone(secret);
    },
    { draft: `webhook ${webhook?.id ?? `new ${workspace.id}`}` },
  );
  async function update(id: string, body: WebhookChanges): Promise<undefined> {
    await edit.save(body, (changes, ifMatch) =>
      svc.patch("/api/v1/webhooks/{id}", { path: { id }, body: changes, ifMatch }),
    );
  }
  async function create(body: NewWebhook): Promise<string> {
    return (await svc.post("/api/v1/webhooks", { body })).secret;
  }
  const missing = missingValues(webhook, form.values);
  return (
    <Dialog title={webhook ? messages.edit.title : messages.edit.newTitle} onClose={onClose}>
      <Form form={form} submitLabel={webhook ? messages.edit.save : messages.edit.create}>
        <TextField
          form={form}
          name="url"
          label={messages.url}
          type="url"
          placeholder="https://example.com/hooks"
          hint={messages.edit.urlHint}
          required
        />
        <EventChoice form={form} />
        <TextField form={form} name="description" label={messages.description} maxLength={500} />
        <div role="status">
          {webhook && missing.length > 0 && (
            <p className="notice">{messages.edit.otherOrigin(new URL(webhook.url).origin, missing)}</p>
          )}
        </div>
        <TextArea
          form={form}
          name="headers"
          label={messages.headers}
          rows={3}
          placeholder={messages.edit.headersExample}
          hint={messages.edit.headersHint(mask)}
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
      <legend>{messages.events}</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={all}
          onChange={({ target }) => form.set("events", target.checked ? "*" : "")}
        />
        {messages.edit.allEvents}
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

/**
 * Returns the names of the headers whose value has to be entered again, because the stored one is not sent to another origin.
 */
function missingValues(webhook: Webhook | undefined, { url, headers }: Values): string[] {
  const entered = url.trim();
  if (!webhook || !URL.canParse(entered) || new URL(entered).origin === new URL(webhook.url).origin)
    return [];
  return Object.entries(parseHeaders(headers)).flatMap(([name, value]) => (value === mask ? [name] : []));
}

function requireValues(names: readonly string[]): void {
  if (names.length === 0) return;
  const detail = messages.edit.valuesMissing(names);
  const error = { pointer: "/headers", code: "required", detail };
  throw new Problem(422, { code: "invalid_input", detail, errors: [error] });
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
      return name === undefined
        ? one
        : { ...one, pointer: "/headers", detail: messages.edit.headerError(name, one.detail) };
    });
    throw new Problem(error.status, { ...error, detail: error.message, errors });
  }
}
