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

/** Lists the workspace's webhooks. */
export default function Webhooks() {
  const { workspace } = useCurrentUser();
  const query = useWebhooks(workspace.id);
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const button = (
    <Button look="primary" onClick={() => setCreating(true)}>
      New webhook
    </Button>
  );
  return (
    <Page title="Webhooks" actions={query.data?.data.length ? button : undefined}>
      <p>Send the events of this workspace to your own systems as signed messages.</p>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title="No webhooks yet">
            <p>
              Create a webhook to receive events such as archived projects, exceeded budgets and sign-ins.
            </p>
            {button}
          </Empty>
        }
      >
        {({ data }) => (
          <Table stacked caption="Webhooks" rows={data} rowKey={({ id }) => id} columns={columns} />
        )}
      </Loaded>
      {creating && (
        <WebhookDialog
          onClose={() => setCreating(false)}
          onDone={(created) => {
            setCreating(false);
            setSecret(created);
            toast("Webhook created.");
          }}
        />
      )}
      {secret && <SigningSecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}

const columns = [
  {
    heading: "URL",
    cell: ({ id, url, description }: Webhook) => (
      <>
        <Link href={`/webhooks/${id}`}>{url}</Link>
        {description && <div className="hint">{description}</div>}
      </>
    ),
  },
  { heading: "Events", cell: ({ events }: Webhook) => eventsText(events) },
  { heading: "Status", phone: "end" as const, cell: (webhook: Webhook) => <WebhookState {...webhook} /> },
  { heading: "Created", cell: ({ createdAt }: Webhook) => day(createdAt) },
];
