import type { Webhook } from "@svc/client";
import { useState } from "react";
import { Link } from "wouter";
import { useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { useWebhooks } from "./queries.ts";
import { SigningSecretDialog } from "./signing-secret-dialog.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { eventsText, WebhookState } from "./webhook-state.tsx";
import "./webhooks.css";
import { messages } from "./messages.ts";

/** Lists the workspace's webhooks. */
export default function Webhooks() {
  const { workspace } = useCurrentUser();
  const query = useWebhooks(workspace.id);
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const button = (
    <Button look="primary" onClick={() => setCreating(true)}>
      {messages.newWebhook}
    </Button>
  );
  return (
    <Page title={messages.webhooks} actions={query.data?.data.length ? button : undefined}>
      <p>{messages.lead}</p>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title={messages.none}>
            <p>{messages.noneHint}</p>
            {button}
          </Empty>
        }
      >
        {({ data }) => (
          <Table stacked caption={messages.webhooks} rows={data} rowKey={({ id }) => id} columns={columns} />
        )}
      </Loaded>
      {creating && (
        <WebhookDialog
          onClose={() => setCreating(false)}
          onDone={(created) => {
            setCreating(false);
            setSecret(created);
            toast(messages.created);
          }}
        />
      )}
      {secret && <SigningSecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}

const columns = [
  {
    heading: messages.url,
    cell: ({ id, url, description }: Webhook) => (
      <>
        <Link href={`/webhooks/${id}`}>{url}</Link>
        {description && <div className="hint">{description}</div>}
      </>
    ),
  },
  { heading: messages.events, cell: ({ events }: Webhook) => eventsText(events) },
  {
    heading: messages.status,
    phone: "end" as const,
    cell: (webhook: Webhook) => <WebhookState {...webhook} />,
  },
  { heading: messages.createdAt, cell: ({ createdAt }: Webhook) => day(createdAt) },
];
