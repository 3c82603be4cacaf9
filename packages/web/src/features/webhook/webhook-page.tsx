import type { Webhook, WebhookEventType } from "@svc/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { svc } from "../../base/api.ts";
import { refetchMs } from "../../base/avatar.ts";
import { day, dayTime } from "../../base/format.ts";
import { refreshAfterDelete } from "../../base/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { DateTimeField } from "../../ui/date-field.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Feed, useFeed } from "../../ui/feed.tsx";
import { Form, SelectField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { DeliveryState, deliveryTime, refetchDeliveriesMs } from "./delivery-state.tsx";
import { useEventTypes, useWebhook } from "./queries.ts";
import { SigningSecretDialog } from "./signing-secret-dialog.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { webhookParts } from "./webhook-parts.ts";
import { disabledExplanation, eventsText, WebhookState } from "./webhook-state.tsx";
import "./webhooks.css";

/** A webhook: its settings, actions and delivery log. */
export default function WebhookPage() {
  const { id = "" } = useParams();
  const query = useWebhook(id);
  return (
    <Page title="Webhook">
      <p>
        <Link href="/webhooks">All webhooks</Link>
      </p>
      <Loaded query={query}>{(webhook) => <Detail key={webhook.id} webhook={webhook} />}</Loaded>
    </Page>
  );
}

type OpenDialog = "edit" | "rotate" | "delete" | "test" | "recover";

function Detail({ webhook }: { webhook: Webhook }) {
  const { id, url, enabled } = webhook;
  const client = useQueryClient();
  const edit = useEdit(webhook, webhookParts, { follow: true });
  const [, go] = useLocation();
  const [dialog, setDialog] = useState<OpenDialog>();
  const [secret, setSecret] = useState<string>();
  const refresh = () => client.invalidateQueries({ queryKey: ["webhooks"] });
  const close = () => setDialog(undefined);
  const done = async (message: string) => {
    close();
    toast(message);
    await refresh();
  };
  const toggle = useMutation({
    mutationFn: () =>
      edit.save({ enabled: !enabled }, (changes, ifMatch) =>
        svc.patch("/api/v1/webhooks/{id}", { path: { id }, body: changes, ifMatch }),
      ),
    onSuccess: ({ saved }) => (saved ? done(enabled ? "Webhook disabled." : "Webhook enabled.") : refresh()),
  });
  const rotate = useMutation({
    mutationFn: () => svc.post("/api/v1/webhooks/{id}/rotate-secret", { path: { id } }),
    onSuccess: async (rotated) => {
      setSecret(rotated.secret);
      await done("Secret rotated.");
    },
  });
  const deletion = useMutation({
    mutationFn: async () => {
      // Requests in flight would fail with 404 after the deletion.
      await client.cancelQueries({ queryKey: ["webhooks"] });
      return edit.remove((ifMatch) => svc.delete("/api/v1/webhooks/{id}", { path: { id }, ifMatch }));
    },
    onSuccess: () => {
      refreshAfterDelete("webhooks", id);
      toast("Webhook deleted.");
      go("/webhooks");
    },
  });
  return (
    <Panels>
      <section aria-labelledby="webhook-url">
        <h2 id="webhook-url">{url}</h2>
        {!enabled && (
          <p className="notice" data-look="bad">
            {disabledExplanation(webhook)} No events are sent. After you enable it, recover the events it
            missed.
          </p>
        )}
        <dl className="facts">
          <dt>Status</dt>
          <dd>
            <WebhookState enabled={enabled} />
          </dd>
          <dt>Events</dt>
          <dd>{eventsText(webhook.events)}</dd>
          {webhook.description && (
            <>
              <dt>Description</dt>
              <dd>{webhook.description}</dd>
            </>
          )}
          {Object.keys(webhook.headers).length > 0 && (
            <>
              <dt>Custom headers</dt>
              <dd>{Object.keys(webhook.headers).join(", ")}</dd>
            </>
          )}
          <dt>Secret</dt>
          <dd>
            {webhook.previousSecretUntil
              ? `Rotated. The previous secret also signs until ${dayTime(webhook.previousSecretUntil)}.`
              : "Shown once, when the webhook was created."}
          </dd>
          <dt>Created</dt>
          <dd>{day(webhook.createdAt)}</dd>
        </dl>
        <Failure error={toggle.error} />
        <div className="actions">
          <Button onClick={() => setDialog("edit")}>Edit webhook</Button>
          <Button busy={toggle.isPending} onClick={() => toggle.mutate()}>
            {enabled ? "Disable webhook" : "Enable webhook"}
          </Button>
          {enabled && <Button onClick={() => setDialog("test")}>Send test event</Button>}
          {enabled && <Button onClick={() => setDialog("recover")}>Recover events</Button>}
          <Button onClick={() => setDialog("rotate")}>Rotate secret</Button>
          <Button onClick={() => setDialog("delete")}>Delete webhook</Button>
        </div>
      </section>
      <Deliveries id={id} enabled={enabled} polled={dialog !== "delete"} />
      {dialog === "edit" && (
        <WebhookDialog webhook={webhook} onClose={close} onDone={() => void done("Webhook saved.")} />
      )}
      {dialog === "test" && <TestEvent id={id} onClose={close} onDone={done} />}
      {dialog === "recover" && <Recover id={id} onClose={close} onDone={done} />}
      {dialog === "rotate" && (
        <ConfirmDialog
          title="Rotate the signing secret?"
          confirmLabel="Rotate secret"
          busy={rotate.isPending}
          onConfirm={() => rotate.mutate()}
          onClose={close}
        >
          <p>
            A new secret is created and shown once. For 24 hours, each message carries two signatures, one by
            the new and one by the old secret, so that your receiver can switch without missing messages.
            After that, the old secret is invalid. Rotating again within 24 hours invalidates the oldest
            secret at once.
          </p>
          <Failure error={rotate.error} />
        </ConfirmDialog>
      )}
      {dialog === "delete" && (
        <ConfirmDialog
          title="Delete this webhook?"
          confirmLabel="Delete webhook"
          busy={deletion.isPending}
          onConfirm={() => deletion.mutate()}
          onClose={close}
        >
          <p>
            Events are no longer sent to {url}, and its delivery log is deleted. To pause it, disable it
            instead.
          </p>
          <Failure error={deletion.error} />
        </ConfirmDialog>
      )}
      {secret && <SigningSecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Panels>
  );
}

function Deliveries({ id, enabled, polled }: { id: string; enabled: boolean; polled: boolean }) {
  const client = useQueryClient();
  const feed = useFeed(
    ["webhooks", "deliveries", id],
    "/api/v1/webhooks/{id}/deliveries",
    { path: { id } },
    {},
    (rows) => (polled ? refetchDeliveriesMs(rows, refetchMs) : refetchMs),
  );
  const retry = useMutation({
    mutationFn: (deliveryId: string) =>
      svc.post("/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry", { path: { id, deliveryId } }),
    onSuccess: async () => {
      toast("Delivery queued again.");
      await client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Delivery log</h2>
      <Failure error={retry.error} />
      <Feed
        feed={feed}
        empty={
          <Empty title="No deliveries yet">
            <p>Deliveries appear here for 90 days. Send a test event to see one.</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            stacked
            caption="Deliveries"
            rows={rows}
            rowKey={(delivery) => delivery.id}
            columns={[
              {
                heading: "Event",
                cell: (delivery) => (
                  <Link href={`/webhooks/${id}/deliveries/${delivery.id}`}>{delivery.type}</Link>
                ),
              },
              {
                heading: "Created",
                cell: ({ createdAt }) => <span className="nowrap">{dayTime(createdAt)}</span>,
              },
              { heading: "Status", phone: "end", cell: (delivery) => <DeliveryState {...delivery} /> },
              {
                heading: "Attempts",
                numeric: true,
                phone: "hidden",
                cell: ({ attemptCount }) => attemptCount,
              },
              {
                heading: "Completed",
                phone: "hidden",
                cell: (delivery) => <span className="nowrap">{deliveryTime(delivery)}</span>,
              },
              {
                heading: "Actions",
                cell: (delivery) =>
                  enabled && (
                    <Button
                      data-size="small"
                      aria-label={`Retry ${delivery.type} from ${dayTime(delivery.createdAt)}`}
                      busy={retry.isPending && retry.variables === delivery.id}
                      onClick={() => retry.mutate(delivery.id)}
                    >
                      Retry
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Feed>
    </section>
  );
}

type DialogProps = { id: string; onClose: () => void; onDone: (message: string) => Promise<void> };

function TestEvent({ id, onClose, onDone }: DialogProps) {
  const types = useEventTypes();
  return (
    <Dialog title="Send test event" onClose={onClose}>
      <p>
        Sends a sample event, marked <code>"test":true</code>, to this webhook only.
      </p>
      <Loaded query={types}>
        {({ data }) => <TestForm id={id} onDone={onDone} types={data.map(({ type }) => type)} />}
      </Loaded>
    </Dialog>
  );
}

function TestForm({
  id,
  types,
  onDone,
}: Pick<DialogProps, "id" | "onDone"> & { types: WebhookEventType["type"][] }) {
  const form = useForm({ event: types[0] ?? "project.archived" }, async ({ event }, idempotencyKey) => {
    await svc.post("/api/v1/webhooks/{id}/test", { path: { id }, body: { event }, idempotencyKey });
    await onDone("Test event queued.");
  });
  return (
    <Form form={form} submitLabel="Send test event">
      <SelectField
        form={form}
        name="event"
        label="Event"
        options={types.map((type) => ({ value: type, label: type }))}
      />
    </Form>
  );
}

function Recover({ id, onClose, onDone }: DialogProps) {
  const [initial] = useState(() => ({ since: localInput(new Date(Date.now() - 86_400_000)) }));
  const form = useForm(initial, async ({ since }, idempotencyKey) => {
    const body = { since: since && new Date(since).toISOString() };
    const request = { path: { id }, body, idempotencyKey };
    const { recovered } = await svc.post("/api/v1/webhooks/{id}/recover", request);
    await onDone(recovered === 0 ? "No events were missed." : `Missed events queued: ${recovered}.`);
  });
  return (
    <Dialog title="Recover missed events" onClose={onClose}>
      <p>
        Sends every event since this time that did not reach this webhook: failed deliveries, and events that
        occurred while it was disabled.
      </p>
      <Form form={form} submitLabel="Recover events">
        <DateTimeField form={form} name="since" label="Since" hint="In this device’s time zone." required />
      </Form>
    </Dialog>
  );
}

/** Formats an instant for a `DateTimeField`: without seconds, in the device's time zone. */
function localInput(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
