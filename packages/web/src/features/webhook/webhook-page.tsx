import type { EventType } from "@svc/core/event/catalog";
import type { View as Delivery } from "@svc/core/webhook/delivery";
import type { View as Webhook, WithSecret } from "@svc/core/webhook/endpoint";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { patch, post, remove } from "../../base/api.ts";
import { refetchMs } from "../../base/avatar.ts";
import { day, dayTime } from "../../base/format.ts";
import { refreshAfterDelete } from "../../base/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Feed, useFeed } from "../../ui/feed.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { DeliveryState, deliveryTime, lookAgainMs } from "./delivery-state.tsx";
import { WebhookForm } from "./form.tsx";
import { useEventTypes, useWebhook } from "./queries.ts";
import { SecretOnce } from "./secret.tsx";
import { eventWords, WebhookState, whyDisabled } from "./state.tsx";
import "./webhooks.css";

/** One webhook: its state, what can be done with it, and the log of what was sent. */
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

type Doing = "edit" | "rotate" | "remove" | "test" | "recover";

function Detail({ webhook }: { webhook: Webhook }) {
  const { id, url, enabled } = webhook;
  const client = useQueryClient();
  const [, go] = useLocation();
  const [doing, setDoing] = useState<Doing>();
  const [secret, setSecret] = useState<string>();
  const changed = () => client.invalidateQueries({ queryKey: ["webhooks"] });
  const close = () => setDoing(undefined);
  const done = async (words: string) => {
    close();
    toast(words);
    await changed();
  };
  const turn = useMutation({
    mutationFn: () => patch(`/api/v1/webhooks/${id}`, { enabled: !enabled }),
    onSuccess: () => done(enabled ? "The webhook is disabled." : "The webhook is enabled."),
  });
  const rotate = useMutation({
    mutationFn: () => post<WithSecret>(`/api/v1/webhooks/${id}/rotate-secret`),
    onSuccess: async (rotated) => {
      setSecret(rotated.secret);
      await done("The secret is rotated.");
    },
  });
  const leave = useMutation({
    mutationFn: async () => {
      // Whatever is being asked about it now would be answered that it is gone.
      await client.cancelQueries({ queryKey: ["webhooks"] });
      return remove(`/api/v1/webhooks/${id}`);
    },
    onSuccess: () => {
      refreshAfterDelete("webhooks", id);
      toast("The webhook is deleted.");
      go("/webhooks");
    },
  });
  return (
    <>
      <h2>{url}</h2>
      {!enabled && (
        <p className="notice" data-look="bad">
          {whyDisabled(webhook)} Nothing is sent. Once it is enabled, recover what it missed.
        </p>
      )}
      <dl className="facts">
        <dt>State</dt>
        <dd>
          <WebhookState enabled={enabled} />
        </dd>
        <dt>Events</dt>
        <dd>{eventWords(webhook.events)}</dd>
        {webhook.description && (
          <>
            <dt>Description</dt>
            <dd>{webhook.description}</dd>
          </>
        )}
        {Object.entries(webhook.headers).map(([name, value]) => (
          <HeaderFact key={name} name={name} value={value} />
        ))}
        <dt>Secret</dt>
        <dd>
          {webhook.previousSecretUntil
            ? `Rotated: until ${dayTime(webhook.previousSecretUntil)} the one before signs too.`
            : "Shown when it was made, and never again."}
        </dd>
        <dt>Since</dt>
        <dd>{day(webhook.createdAt)}</dd>
      </dl>
      <Failure error={turn.error} />
      <div className="actions">
        <Button onClick={() => setDoing("edit")}>Change</Button>
        <Button busy={turn.isPending} onClick={() => turn.mutate()}>
          {enabled ? "Disable" : "Enable"}
        </Button>
        {enabled && <Button onClick={() => setDoing("test")}>Send a test event</Button>}
        {enabled && <Button onClick={() => setDoing("recover")}>Recover</Button>}
        <Button onClick={() => setDoing("rotate")}>Rotate the secret</Button>
        <Button onClick={() => setDoing("remove")}>Delete</Button>
      </div>
      <Deliveries id={id} enabled={enabled} polled={doing !== "remove"} />
      {doing === "edit" && (
        <WebhookForm webhook={webhook} onClose={close} onDone={() => void done("The webhook is saved.")} />
      )}
      {doing === "test" && <TestEvent id={id} onClose={close} onDone={done} />}
      {doing === "recover" && <Recover id={id} onClose={close} onDone={done} />}
      {doing === "rotate" && (
        <ConfirmDialog
          title="Rotate the secret?"
          confirmLabel="Rotate"
          busy={rotate.isPending}
          onConfirm={() => rotate.mutate()}
          onClose={close}
        >
          <p>
            You are shown a new secret. For 24 hours each message carries two signatures, one by the new
            secret and one by the old, so that your receiver can change over without missing any. After that
            the old one opens nothing. A second rotation within that time ends the oldest at once.
          </p>
          <Failure error={rotate.error} />
        </ConfirmDialog>
      )}
      {doing === "remove" && (
        <ConfirmDialog
          title="Delete this webhook?"
          confirmLabel="Delete"
          busy={leave.isPending}
          onConfirm={() => leave.mutate()}
          onClose={close}
        >
          <p>Nothing is sent to {url} any more, and its log is gone. To pause it, disable it instead.</p>
          <Failure error={leave.error} />
        </ConfirmDialog>
      )}
      {secret && <SecretOnce secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function HeaderFact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{value}</code>
      </dd>
    </>
  );
}

function Deliveries({ id, enabled, polled }: { id: string; enabled: boolean; polled: boolean }) {
  const client = useQueryClient();
  const feed = useFeed<Delivery>(
    ["webhooks", "deliveries", id],
    `/api/v1/webhooks/${id}/deliveries`,
    {},
    (rows) => (polled ? lookAgainMs(rows, refetchMs) : refetchMs),
  );
  const retry = useMutation({
    mutationFn: (deliveryId: string) => post(`/api/v1/webhooks/${id}/deliveries/${deliveryId}/retry`),
    onSuccess: async () => {
      toast("It is sent again.");
      await client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <Failure error={retry.error} />
      <Feed
        feed={feed}
        empty={
          <Empty title="Nothing was sent yet">
            <p>Deliveries stand here for 90 days. Send a test event to see one.</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
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
                heading: "Made",
                cell: ({ createdAt }) => <span className="nowrap">{dayTime(createdAt)}</span>,
              },
              { heading: "State", cell: (delivery) => <DeliveryState {...delivery} /> },
              { heading: "Attempts", numeric: true, cell: ({ attemptCount }) => attemptCount },
              {
                heading: "Ended",
                cell: (delivery) => <span className="nowrap">{deliveryTime(delivery)}</span>,
              },
              {
                heading: "Again",
                cell: (delivery) =>
                  enabled && (
                    <Button
                      data-size="small"
                      aria-label={`Retry ${delivery.type} of ${dayTime(delivery.createdAt)}`}
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

type Work = { id: string; onClose: () => void; onDone: (words: string) => Promise<void> };

function TestEvent({ id, onClose, onDone }: Work) {
  const types = useEventTypes();
  return (
    <Dialog title="Send a test event" onClose={onClose}>
      <p>
        A made-up event, marked <code>"test":true</code>, goes to this webhook alone.
      </p>
      <Loaded query={types}>
        {({ data }) => <TestForm id={id} onDone={onDone} types={data.map(({ type }) => type)} />}
      </Loaded>
    </Dialog>
  );
}

function TestForm({ id, types, onDone }: Pick<Work, "id" | "onDone"> & { types: EventType["type"][] }) {
  const form = useForm({ event: types[0] ?? "" }, async ({ event }) => {
    await post(`/api/v1/webhooks/${id}/test`, { event });
    await onDone("The test event is on its way.");
  });
  return (
    <Form form={form} submitLabel="Send">
      <SelectField
        form={form}
        name="event"
        label="Event"
        options={types.map((type) => ({ value: type, label: type }))}
      />
    </Form>
  );
}

function Recover({ id, onClose, onDone }: Work) {
  const form = useForm({ since: localInput(new Date(Date.now() - 86_400_000)) }, async ({ since }) => {
    const body = { since: since && new Date(since).toISOString() };
    const { recovered } = await post<{ recovered: number }>(`/api/v1/webhooks/${id}/recover`, body);
    await onDone(recovered === 0 ? "Nothing was missing." : `${recovered} deliveries are on their way.`);
  });
  return (
    <Dialog title="Recover what was missed" onClose={onClose}>
      <p>
        Every event since then that never reached this webhook is sent: deliveries that failed, and what
        happened while it was disabled.
      </p>
      <Form form={form} submitLabel="Recover">
        <TextField
          form={form}
          name="since"
          label="Since"
          type="datetime-local"
          hint="In the time zone of this device."
          required
        />
      </Form>
    </Dialog>
  );
}

/** As `datetime-local` takes it: without seconds, in the time zone of the device. */
function localInput(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
