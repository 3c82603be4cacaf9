import type { View as Webhook } from "@svc/core/webhook/endpoint";
import { useState } from "react";
import { Link } from "wouter";
import { useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { WebhookForm } from "./form.tsx";
import { useWebhooks } from "./queries.ts";
import { SecretOnce } from "./secret.tsx";
import { eventWords, WebhookState } from "./state.tsx";
import "./webhooks.css";

/** Where the workspace's events are sent to. */
export default function Webhooks() {
  const { workspace } = useCurrentUser();
  const query = useWebhooks(workspace.id);
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const button = (
    <Button look="primary" onClick={() => setMaking(true)}>
      New webhook
    </Button>
  );
  return (
    <Page title="Webhooks" actions={query.data?.data.length ? button : undefined}>
      <p>Events of this workspace, sent to your own systems as signed messages.</p>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title="No webhooks yet">
            <p>Register an address, and it hears of archived projects, budgets, currencies and logins.</p>
            {button}
          </Empty>
        }
      >
        {({ data }) => <Table caption="Webhooks" rows={data} rowKey={({ id }) => id} columns={columns} />}
      </Loaded>
      {making && (
        <WebhookForm
          onClose={() => setMaking(false)}
          onDone={(made) => {
            setMaking(false);
            setSecret(made);
            toast("The webhook is registered.");
          }}
        />
      )}
      {secret && <SecretOnce secret={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  );
}

const columns = [
  {
    heading: "Address",
    cell: ({ id, url, description }: Webhook) => (
      <>
        <Link href={`/webhooks/${id}`}>{url}</Link>
        {description && <div className="hint">{description}</div>}
      </>
    ),
  },
  { heading: "Events", cell: ({ events }: Webhook) => eventWords(events) },
  { heading: "State", cell: (webhook: Webhook) => <WebhookState {...webhook} /> },
  { heading: "Since", cell: ({ createdAt }: Webhook) => day(createdAt) },
];
