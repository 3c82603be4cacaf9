import type { Team } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { day, number } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";
import { messages } from "./messages.ts";

/** The teams of the workspace. */
export default function Teams() {
  const { workspace } = useCurrentUser();
  const [creating, setCreating] = useState(false);
  const query = useQuery({
    queryKey: ["teams", workspace.id],
    queryFn: ({ signal }) => svc.get("/team", { signal }),
  });
  return (
    <Page
      title={messages.teams.title}
      actions={
        hasRole(workspace.role, "manager") && (
          <Button look="primary" onClick={() => setCreating(true)}>
            {messages.teams.create}
          </Button>
        )
      }
    >
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title={messages.teams.none} />}
      >
        {({ data }) => (
          <Table
            stacked
            caption={messages.teams.title}
            rows={data}
            rowKey={({ id }) => id}
            columns={columns}
          />
        )}
      </Loaded>
      {creating && <NewTeam onClose={() => setCreating(false)} />}
    </Page>
  );
}

const columns = [
  { heading: messages.name, cell: ({ id, name }: Team) => <Link href={`/teams/${id}`}>{name}</Link> },
  {
    heading: messages.teams.members,
    numeric: true as const,
    phone: "end" as const,
    cell: ({ memberCount }: Team) => number(memberCount),
  },
  { heading: messages.teams.createdAt, cell: ({ createdAt }: Team) => day(createdAt) },
];

function NewTeam({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { workspace } = useCurrentUser();
  const form = useForm(
    { name: "" },
    async (values, idempotencyKey) => {
      await svc.post("/team", { body: values, idempotencyKey });
      toast(messages.teams.created);
      onClose();
      await Promise.all(["teams", "me"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
    },
    { draft: `team new ${workspace.id}`, creates: true },
  );
  return (
    <Dialog title={messages.teams.create} onClose={onClose}>
      <Form form={form} submitLabel={messages.teams.submit}>
        <TextField form={form} name="name" label={messages.name} maxLength={100} required />
      </Form>
    </Dialog>
  );
}
