import type { ApiToken, CreatedApiToken } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog, SecretDialog } from "../../ui/dialog.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { useReauthentication } from "./reauthentication.tsx";

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
      <h2 id="tokens">API tokens</h2>
      <p>An API client with a token acts as you in one workspace. It can never do more than you can.</p>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title="No API tokens yet">
            <p>Create a token to use the API from your own scripts and services.</p>
          </Empty>
        }
      >
        {({ data }) => <TokenTable tokens={data} onDelete={setDeleting} />}
      </Loaded>
      <Button look="primary" onClick={() => setCreating(true)}>
        Create token
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
          title={`Delete the token ${deleting.name}?`}
          confirmLabel="Delete token"
          action={() => svc.delete("/user/tokens/{id}", { path: { id: deleting.id } })}
          onDone={() => {
            setDeleting(undefined);
            toast("Token deleted.");
            void refresh();
          }}
          onClose={() => setDeleting(undefined)}
        >
          <p>API clients that use this token lose access immediately.</p>
        </ConfirmAction>
      )}
    </section>
  );
}

function TokenTable({ tokens, onDelete }: { tokens: ApiToken[]; onDelete: (token: ApiToken) => void }) {
  const { me } = useCurrentUser();
  const nameOf = (id: string) => me.workspaces.find((one) => one.id === id)?.name ?? "A workspace you left";
  return (
    <Table
      caption="API tokens"
      rows={tokens}
      rowKey={({ id }) => id}
      columns={[
        { heading: "Name", cell: ({ name }) => name },
        { heading: "Access", cell: ({ scopes }) => scopes.join(", ") },
        { heading: "Workspace", cell: ({ workspaceId }) => nameOf(workspaceId) },
        { heading: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt ? day(lastUsedAt) : "Never") },
        { heading: "Expires", cell: ({ expiresAt }) => day(expiresAt) },
        {
          heading: "Actions",
          cell: (token) => (
            <Button look="quiet" onClick={() => onDelete(token)} aria-label={`Delete ${token.name}`}>
              Delete…
            </Button>
          ),
        },
      ]}
    />
  );
}

function CreatedDialog({ token: { name, token }, onClose }: { token: CreatedApiToken; onClose: () => void }) {
  return (
    <SecretDialog title={`Token ${name}`} onSaved={onClose}>
      <p>Copy the token now. It will not be shown again.</p>
      <p>
        <code className="secret-text">{token}</code>
      </p>
      <div className="row">
        <CopyButton text={token} label="Copy token" />
      </div>
    </SecretDialog>
  );
}

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
  );
  return (
    <Dialog title="Create API token" onClose={onClose}>
      <Form form={form} submitLabel="Create token" actions={<Button onClick={onClose}>Cancel</Button>}>
        <TextField
          form={form}
          name="name"
          label="Name"
          hint="Describe its purpose, for example “Payroll export”."
          autoComplete="off"
          required
        />
        <SelectField
          form={form}
          name="scope"
          label="Access"
          options={[
            { value: "read", label: "Read" },
            { value: "write", label: "Read and write" },
            { value: "admin", label: "Read, write and admin actions" },
          ]}
        />
        <SelectField
          form={form}
          name="workspaceId"
          label="Workspace"
          options={me.workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <SelectField
          form={form}
          name="days"
          label="Expires after"
          options={lifetimeDays.map((days) => ({ value: String(days), label: `${days} days` }))}
        />
      </Form>
    </Dialog>
  );
}
