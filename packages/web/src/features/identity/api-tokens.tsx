import type { Created, View as Token } from "@svc/core/identity/tokens/api-token";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, post, remove } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";

/** Tokens for the person's programs: made, shown once, and taken away. */
export function ApiTokens() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => get<{ data: Token[] }>("/user/tokens", { signal }),
  });
  const [making, setMaking] = useState(false);
  const [created, setCreated] = useState<Created>();
  const [deleting, setDeleting] = useState<Token>();
  const refresh = () => client.invalidateQueries({ queryKey: ["tokens"] });
  const nameOf = (id: string) => me.workspaces.find((one) => one.id === id)?.name ?? "a workspace you left";
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">API tokens</h2>
      <p>A program with a token works in one workspace, as you, and never with more than you may do there.</p>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title="You have no tokens" />}
      >
        {({ data }) => (
          <Table
            caption="API tokens"
            rows={data}
            rowKey={({ id }) => id}
            columns={[
              { heading: "Name", cell: ({ name }) => name },
              { heading: "May", cell: ({ scopes }) => scopes.join(", ") },
              { heading: "Workspace", cell: ({ workspaceId }) => nameOf(workspaceId) },
              { heading: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt ? day(lastUsedAt) : "never") },
              { heading: "Until", cell: ({ expiresAt }) => day(expiresAt) },
              {
                heading: "Actions",
                cell: (token) => (
                  <Button look="quiet" onClick={() => setDeleting(token)} aria-label={`Delete ${token.name}`}>
                    Delete…
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <Button look="primary" onClick={() => setMaking(true)}>
        Make a token
      </Button>
      {making && (
        <MakeToken
          onClose={() => setMaking(false)}
          onDone={(token) => {
            setMaking(false);
            setCreated(token);
            void refresh();
          }}
        />
      )}
      {created && (
        <Dialog title={`The token ${created.name}`} onClose={() => setCreated(undefined)}>
          <p>Give it to your program now. It is not shown again, and nobody can look it up.</p>
          <p>
            <code className="secret-text">{created.token}</code>
          </p>
          <div className="row">
            <CopyButton text={created.token} label="Copy the token" />
            <Button look="primary" onClick={() => setCreated(undefined)}>
              I have kept it
            </Button>
          </div>
        </Dialog>
      )}
      {deleting && (
        <ConfirmAction
          title={`Delete the token ${deleting.name}?`}
          confirmLabel="Delete it"
          work={() => remove(`/user/tokens/${deleting.id}`)}
          onDone={() => {
            setDeleting(undefined);
            toast("The token is deleted.");
            void refresh();
          }}
          onClose={() => setDeleting(undefined)}
        >
          <p>Programs that use it are refused from their next request on.</p>
        </ConfirmAction>
      )}
    </section>
  );
}

const lastingDays = [7, 30, 90, 365];

/** Clocks differ, and over a year is refused. */
const marginMs = 3_600_000;

function MakeToken({ onClose, onDone }: { onClose: () => void; onDone: (token: Created) => void }) {
  const { me, workspace } = useCurrentUser();
  const form = useForm(
    { name: "", scopes: "read", workspaceId: workspace.id, days: "90" },
    async ({ name, scopes, workspaceId, days }) => {
      const expiresAt = new Date(Date.now() + Number(days) * 86_400_000 - marginMs).toISOString();
      onDone(await post<Created>("/user/tokens", { name, scopes: [scopes], workspaceId, expiresAt }));
    },
  );
  return (
    <Dialog title="Make a token" onClose={onClose}>
      <Form form={form} submitLabel="Make it" actions={<Button onClick={onClose}>Cancel</Button>}>
        <TextField
          form={form}
          name="name"
          label="Name"
          hint="What it is for, for example “Payroll export”."
          autoComplete="off"
          required
        />
        <SelectField
          form={form}
          name="scopes"
          label="It may"
          options={[
            { value: "read", label: "Read" },
            { value: "write", label: "Read and write" },
            { value: "admin", label: "Read, write, and do what admins do" },
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
          label="Good for"
          options={lastingDays.map((days) => ({ value: String(days), label: `${days} days` }))}
        />
      </Form>
    </Dialog>
  );
}
