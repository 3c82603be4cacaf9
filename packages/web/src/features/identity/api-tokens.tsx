import type { ApiToken, CreatedApiToken } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { day, list } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog, SecretDialog } from "../../ui/dialog.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { useReauthentication } from "./reauthentication.tsx";
import { tokenMessages as messages } from "./settings-messages.ts";

/** Lists, creates and deletes the user's API tokens. */
export function ApiTokens() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => svc.get("/user/tokens", { signal }),
  });
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiToken>();
  const [deleting, setDeleting] = useState<ApiToken>();
  const refresh = () => client.invalidateQueries({ queryKey: ["tokens"] });
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">{messages.title}</h2>
      <p>{messages.lead}</p>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title={messages.emptyTitle}>
            <p>{messages.emptyHint}</p>
          </Empty>
        }
      >
        {({ data }) => <TokenTable tokens={data} onDelete={setDeleting} />}
      </Loaded>
      <Button look="primary" onClick={() => setCreating(true)}>
        {messages.create}
      </Button>
      {creating && (
        <CreateToken
          onClose={() => setCreating(false)}
          onDone={(token) => {
            setCreating(false);
            setCreated(token);
            void refresh();
          }}
        />
      )}
      {created && <CreatedDialog token={created} onClose={() => setCreated(undefined)} />}
      {deleting && (
        <ConfirmAction
          title={messages.question(deleting.name)}
          confirmLabel={messages.confirm}
          action={() => svc.delete("/user/tokens/{id}", { path: { id: deleting.id } })}
          onDone={() => {
            setDeleting(undefined);
            toast(messages.deleted);
            void refresh();
          }}
          onClose={() => setDeleting(undefined)}
        >
          <p>{messages.warning}</p>
        </ConfirmAction>
      )}
    </section>
  );
}

function TokenTable({ tokens, onDelete }: { tokens: ApiToken[]; onDelete: (token: ApiToken) => void }) {
  const { me } = useCurrentUser();
  const nameOf = (id: string) => me.workspaces.find((one) => one.id === id)?.name ?? messages.formerWorkspace;
  return (
    <Table
      caption={messages.caption}
      rows={tokens}
      rowKey={({ id }) => id}
      columns={[
        { heading: messages.columns.name, cell: ({ name }) => name },
        { heading: messages.columns.access, cell: ({ scopes }) => list(scopes) },
        { heading: messages.columns.workspace, cell: ({ workspaceId }) => nameOf(workspaceId) },
        {
          heading: messages.columns.lastUsed,
          cell: ({ lastUsedAt }) => (lastUsedAt ? day(lastUsedAt) : messages.never),
        },
        { heading: messages.columns.expires, cell: ({ expiresAt }) => day(expiresAt) },
        {
          heading: messages.columns.actions,
          cell: (token) => (
            <Button look="quiet" onClick={() => onDelete(token)} aria-label={messages.removeOf(token.name)}>
              {messages.remove}
            </Button>
          ),
        },
      ]}
    />
  );
}

function CreatedDialog({ token: { name, token }, onClose }: { token: CreatedApiToken; onClose: () => void }) {
  return (
    <SecretDialog title={messages.createdTitle(name)} onSaved={onClose}>
      <p>{messages.copyNow}</p>
      <p>
        <code className="secret-text">{token}</code>
      </p>
      <div className="row">
        <CopyButton text={token} label={messages.copy} />
      </div>
    </SecretDialog>
  );
}

const scopes = ["read", "write", "admin"] as const;

const lifetimeDays = [7, 30, 90, 365];

/** Allows for clock differences: the API rejects tokens that last longer than a year. */
const marginMs = 3_600_000;

function CreateToken({ onClose, onDone }: { onClose: () => void; onDone: (token: CreatedApiToken) => void }) {
  const { me, workspace } = useCurrentUser();
  const reauthenticate = useReauthentication();
  const form = useForm(
    { name: "", scope: "read" as ApiToken["scopes"][number], workspaceId: workspace.id, days: "90" },
    async ({ name, scope, workspaceId, days }) => {
      const expiresAt = new Date(Date.now() + Number(days) * 86_400_000 - marginMs).toISOString();
      const body = { name, scopes: [scope], workspaceId, expiresAt };
      onDone(await reauthenticate(() => svc.post("/user/tokens", { body })));
    },
    { draft: "API token" },
  );
  return (
    <Dialog title={messages.createTitle} onClose={onClose}>
      <Form
        form={form}
        submitLabel={messages.create}
        actions={<Button onClick={onClose}>{messages.cancel}</Button>}
      >
        <TextField
          form={form}
          name="name"
          label={messages.columns.name}
          hint={messages.nameHint}
          autoComplete="off"
          required
        />
        <SelectField
          form={form}
          name="scope"
          label={messages.columns.access}
          options={scopes.map((value) => ({ value, label: messages.scopes[value] }))}
        />
        <SelectField
          form={form}
          name="workspaceId"
          label={messages.columns.workspace}
          options={me.workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <SelectField
          form={form}
          name="days"
          label={messages.expiresAfter}
          options={lifetimeDays.map((days) => ({ value: String(days), label: messages.days(days) }))}
        />
      </Form>
    </Dialog>
  );
}
