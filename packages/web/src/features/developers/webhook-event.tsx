import type { WebhookEventType } from "@svc/client";
import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { hasPlan, hasRole, useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, useForm } from "../../ui/form.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { useWebhooks } from "../webhook/queries.ts";
import { messages } from "./messages.ts";
import type { Document, Endpoint } from "./openapi.ts";
import { Description, Parameters } from "./operation.tsx";
import { Code, SchemaView } from "./schema-view.tsx";

/** Shows what a webhook receives when an event happens, and a button that sends a test of it. */
export function WebhookEvent({ endpoint, document }: { endpoint: Endpoint; document: Document }) {
  const { operation, path } = endpoint;
  const payload = operation.requestBody?.content["application/json"];
  const { name, description } = document.components.securitySchemes.webhookSignature ?? {};
  return (
    <>
      <Description operation={operation} />
      <div className="endpoint-columns">
        <div>
          <Parameters operation={operation} document={document} />
          <h4>{messages.signature}</h4>
          <dl className="shape">
            <div>
              <dt>
                <code>{name}</code>
              </dt>
              <dd className="hint">
                <Prose text={description ?? ""} />
              </dd>
            </div>
          </dl>
          <h4>{messages.payload}</h4>
          {payload?.schema && <SchemaView schema={payload.schema} document={document} />}
        </div>
        <div>
          <h4>{messages.example}</h4>
          <Code text={JSON.stringify(payload?.example, null, 2)} copyLabel={messages.copyExample} />
          <h4>{messages.tryIt}</h4>
          <TestEvent event={path as WebhookEventType["type"]} />
        </div>
      </div>
    </>
  );
}

function TestEvent({ event }: { event: WebhookEventType["type"] }) {
  const { workspace } = useCurrentUser();
  const [open, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  if (!hasRole(workspace.role, "admin") || !hasPlan(workspace.plan, "ENTERPRISE"))
    return <p className="hint">{messages.testDenied}</p>;
  return (
    <>
      <div className="row">
        <Button onClick={() => setOpen(true)}>{messages.testButton}</Button>
        <span role="status" className="hint">
          {sentTo !== undefined && (
            <>
              {messages.testSent} <Link href={`/webhooks/${sentTo}`}>{messages.testSeen}</Link>
            </>
          )}
        </span>
      </div>
      {open && (
        <TestDialog
          event={event}
          onClose={() => setOpen(false)}
          onSent={(id) => {
            setOpen(false);
            setSentTo(id);
          }}
        />
      )}
    </>
  );
}

function TestDialog({
  event,
  onClose,
  onSent,
}: {
  event: WebhookEventType["type"];
  onClose: () => void;
  onSent: (webhookId: string) => void;
}) {
  const { workspace } = useCurrentUser();
  const webhooks = useWebhooks(workspace.id);
  return (
    <Dialog title={messages.testTitle} onClose={onClose} discardable>
      <p>
        {messages.testExplanation} <code>{event}</code>
      </p>
      <Loaded
        query={webhooks}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title={messages.noWebhooks}>
            <p>{messages.noWebhooksAdvice}</p>
            <Link href="/webhooks" className="button">
              {messages.createWebhook}
            </Link>
          </Empty>
        }
      >
        {({ data }) => (
          <TestForm
            event={event}
            webhooks={data.map(({ id, url, enabled }) => ({
              value: id,
              label: enabled ? url : `${url} (${messages.disabled})`,
            }))}
            onSent={onSent}
          />
        )}
      </Loaded>
    </Dialog>
  );
}

function TestForm({
  event,
  webhooks,
  onSent,
}: {
  event: WebhookEventType["type"];
  webhooks: readonly { value: string; label: string }[];
  onSent: (webhookId: string) => void;
}) {
  const form = useForm({ id: webhooks[0]?.value ?? "" }, async ({ id }) => {
    await svc.post("/api/v1/webhooks/{id}/test", { path: { id }, body: { event } });
    onSent(id);
  });
  return (
    <Form form={form} submitLabel={messages.testSubmit}>
      <SelectField form={form} name="id" label={messages.testWebhook} options={webhooks} />
    </Form>
  );
}
