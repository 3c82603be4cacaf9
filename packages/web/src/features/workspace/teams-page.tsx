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
      title="Teams"
      actions={
        hasRole(workspace.role, "manager") && (
          <Button look="primary" onClick={() => setCreating(true)}>
            New team
          </Button>
        )
      }
    >
      <Loaded query={query} isEmpty={({ data }) => data.length === 0} empty={<Empty title="No teams yet" />}>
        {({ data }) => (
          <Table stacked caption="Teams" rows={data} rowKey={({ id }) => id} columns={columns} />
        )}
      </Loaded>
      {creating && <NewTeam onClose={() => setCreating(false)} />}
    </Page>
  );
}

const columns = [
  { heading: "Name", cell: ({ id, name }: Team) => <Link href={`/teams/${id}`}>{name}</Link> },
  {
    heading: "Members",
    numeric: true as const,
    phone: "end" as const,
    cell: ({ memberCount }: Team) => number(memberCount),
  },
  { heading: "Created", cell: ({ createdAt }: Team) => day(createdAt) },
];

function NewTeam({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { workspace } = useCurrentUser();
  const form = useForm(
    { name: "" },
    async (values, idempotencyKey) => {
      await svc.post("/team", { body: values, idempotencyKey });
      toast("Team created. You are a member of it.");
      onClose();
      await Promise.all(["teams", "me"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
    },
    { draft: `team new ${workspace.id}`, creates: true },
  );
  return (
    <Dialog title="New team" onClose={onClose}>
      <Form form={form} submitLabel="Create team">
        <TextField form={form} name="name" label="Name" maxLength={100} required />
      </Form>
    </Dialog>
  );
}
