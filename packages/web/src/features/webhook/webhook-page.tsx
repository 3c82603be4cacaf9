import type { Webhook, WebhookEventType } from "@svc/client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { svc } from "../../base/api.ts";
import { refetchMs } from "../../base/avatar.ts";
import { day, dayTime, number } from "../../base/format.ts";
import { refreshAfterDelete } from "../../base/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { ComboField } from "../../ui/combo-field.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { DateTimeField } from "../../ui/date-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Feed, useFeed } from "../../ui/feed.tsx";
import { Form, useForm } from "../../ui/form.tsx";
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
import { code, RichText } from "../../ui/rich-text.tsx";
import { messages } from "./messages.ts";

/** A webhook: its settings, actions and delivery log. */
export default function WebhookPage() {
  const { id = "" } = useParams();
  const query = useWebhook(id);
  return (
    <Page title={messages.webhook}>
      <p>
        <Link href="/webhooks">{messages.allWebhooks}</Link>
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
    onSuccess: ({ saved }) =>
      saved ? done(enabled ? messages.disabledNow : messages.enabledNow) : refresh(),
  });
  const remove = async () => {
    // Requests in flight would fail with 404 after the deletion.
    await client.cancelQueries({ queryKey: ["webhooks"] });
    return edit.remove((ifMatch) => svc.delete("/api/v1/webhooks/{id}", { path: { id }, ifMatch }));
  };
  return (
    <Panels>
      <section aria-labelledby="webhook-url">
        <h2 id="webhook-url">{url}</h2>
        {!enabled && (
          <p className="notice" data-look="bad">
            {disabledExplanation(webhook)}
          </p>
        )}
        <dl className="facts">
          <dt>{messages.status}</dt>
          <dd>
            <WebhookState enabled={enabled} />
          </dd>
          <dt>{messages.events}</dt>
          <dd>{eventsText(webhook.events)}</dd>
          {webhook.description && (
            <>
              <dt>{messages.description}</dt>
              <dd>{webhook.description}</dd>
            </>
          )}
          {Object.keys(webhook.headers).length > 0 && (
            <>
              <dt>{messages.headers}</dt>
              <dd>{messages.headerList(Object.keys(webhook.headers))}</dd>
            </>
          )}
          <dt>{messages.secret}</dt>
          <dd>
            {webhook.previousSecretUntil
              ? messages.secretRotated(dayTime(webhook.previousSecretUntil))
              : messages.secretShown}
          </dd>
          <dt>{messages.createdAt}</dt>
          <dd>{day(webhook.createdAt)}</dd>
        </dl>
        <Failure error={toggle.error} />
        <div className="actions">
          <Button onClick={() => setDialog("edit")}>{messages.edit.title}</Button>
          <Button busy={toggle.isPending} onClick={() => toggle.mutate()}>
            {enabled ? messages.disable : messages.enable}
          </Button>
          {enabled && <Button onClick={() => setDialog("test")}>{messages.test.title}</Button>}
          {enabled && <Button onClick={() => setDialog("recover")}>{messages.recover.ask}</Button>}
          <Button onClick={() => setDialog("rotate")}>{messages.rotate.ask}</Button>
          <Button onClick={() => setDialog("delete")}>{messages.deletion.ask}</Button>
        </div>
      </section>
      <Deliveries id={id} enabled={enabled} polled={dialog !== "delete"} />
      {dialog === "edit" && (
        <WebhookDialog webhook={webhook} onClose={close} onDone={() => void done(messages.edit.saved)} />
      )}
      {dialog === "test" && <TestEvent id={id} onClose={close} onDone={done} />}
      {dialog === "recover" && <Recover id={id} onClose={close} onDone={done} />}
      {dialog === "rotate" && (
        <ConfirmAction
          title={messages.rotate.question}
          confirmLabel={messages.rotate.ask}
          action={() => svc.post("/api/v1/webhooks/{id}/rotate-secret", { path: { id } })}
          onDone={(rotated) => {
            setSecret(rotated.secret);
            void done(messages.rotate.done);
          }}
          onClose={close}
        >
          <p>{messages.rotate.warning}</p>
        </ConfirmAction>
      )}
      {dialog === "delete" && (
        <ConfirmAction
          title={messages.deletion.question}
          confirmLabel={messages.deletion.ask}
          action={remove}
          onDone={() => {
            refreshAfterDelete("webhooks", id);
            toast(messages.deletion.done);
            go("/webhooks");
          }}
          onClose={close}
        >
          <p>{messages.deletion.warning(url)}</p>
        </ConfirmAction>
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
      toast(messages.delivery.queued);
      await client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">{messages.log.title}</h2>
      <Failure error={retry.error} />
      <Feed
        feed={feed}
        empty={
          <Empty title={messages.log.none}>
            <p>{messages.log.noneHint}</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            stacked
            caption={messages.log.caption}
            rows={rows}
            rowKey={(delivery) => delivery.id}
            columns={[
              {
                heading: messages.test.event,
                cell: (delivery) => (
                  <Link href={`/webhooks/${id}/deliveries/${delivery.id}`}>{delivery.type}</Link>
                ),
              },
              {
                heading: messages.createdAt,
                cell: ({ createdAt }) => <span className="nowrap">{dayTime(createdAt)}</span>,
              },
              { heading: messages.status, phone: "end", cell: (delivery) => <DeliveryState {...delivery} /> },
              {
                heading: messages.log.attempts,
                numeric: true,
                phone: "hidden",
                cell: ({ attemptCount }) => attemptCount,
              },
              {
                heading: messages.log.completed,
                phone: "hidden",
                cell: (delivery) => <span className="nowrap">{deliveryTime(delivery)}</span>,
              },
              {
                heading: messages.log.actions,
                cell: (delivery) =>
                  enabled && (
                    <Button
                      data-size="small"
                      aria-label={messages.log.retryOne(delivery.type, dayTime(delivery.createdAt))}
                      busy={retry.isPending && retry.variables === delivery.id}
                      onClick={() => retry.mutate(delivery.id)}
                    >
                      {messages.log.retry}
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
    <Dialog title={messages.test.title} onClose={onClose}>
      <p>
        <RichText text={messages.test.lead} marks={{ code }} />
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
    await onDone(messages.test.queued);
  });
  return (
    <Form form={form} submitLabel={messages.test.title}>
      <ComboField
        form={form}
        name="event"
        label={messages.test.event}
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
    await onDone(recovered === 0 ? messages.recover.nothing : messages.recover.queued(number(recovered)));
  });
  return (
    <Dialog title={messages.recover.title} onClose={onClose}>
      <p>{messages.recover.lead}</p>
      <Form form={form} submitLabel={messages.recover.ask}>
        <DateTimeField
          form={form}
          name="since"
          label={messages.recover.since}
          hint={messages.recover.sinceHint}
          required
        />
      </Form>
    </Dialog>
  );
}

/** Formats an instant for a `DateTimeField`: without seconds, in the device's time zone. */
function localInput(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
