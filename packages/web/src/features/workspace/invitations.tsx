import type { View as Invitation } from "@svc/core/workspace/invitations/invitation";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, post, remove } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";

/** Ask somebody into the team. For admins. */
export function InviteButton({ teamId }: { teamId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Invite somebody
      </Button>
      {open && <InviteDialog teamId={teamId} onClose={() => setOpen(false)} />}
    </>
  );
}

const roles = [
  { value: "member", label: "Member: tracks time" },
  { value: "manager", label: "Manager: also projects and everybody’s time" },
];
/** Nobody but the owner gives a role as high as their own. */
const ofOwners = [{ value: "admin", label: "Admin: also people, security and webhooks" }];

function InviteDialog({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const { workspace, team } = useCurrentUser();
  const client = useQueryClient();
  const form = useForm({ email: "", role: "member" }, async (values) => {
    await post<Invitation>(`/team/${teamId}/invitations`, values);
    toast(`${values.email.trim()} is invited.`);
    onClose();
    await client.invalidateQueries({ queryKey: ["invitations", teamId] });
  });
  return (
    <Dialog title={`Invite somebody to ${team?.name ?? "the team"}`} onClose={onClose}>
      <Form form={form} submitLabel="Send the invitation" actions={<Button onClick={onClose}>Cancel</Button>}>
        <TextField form={form} name="email" label="E-mail" type="email" autoComplete="off" required />
        <SelectField
          form={form}
          name="role"
          label={`Role in ${workspace.name}`}
          options={workspace.role === "owner" ? [...roles, ...ofOwners] : roles}
        />
        <p className="hint">They get a link that is good for seven days.</p>
      </Form>
    </Dialog>
  );
}

/** Who was asked and has not come yet. Nothing, while there is nobody. */
export function PendingInvitations({ teamId }: { teamId: string }) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["invitations", teamId],
    queryFn: ({ signal }) => get<{ data: Invitation[] }>(`/team/${teamId}/invitations`, { signal }),
  });
  const [revoking, setRevoking] = useState<Invitation>();
  return (
    <>
      <Loaded query={query} isEmpty={({ data }) => data.length === 0} empty={null}>
        {({ data }) => (
          <section aria-labelledby="invitations">
            <h2 id="invitations">Invited, not here yet</h2>
            <Table
              caption="Open invitations"
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                { heading: "E-mail", cell: ({ email }) => email },
                { heading: "Role", cell: ({ role }) => role },
                { heading: "Invited", cell: ({ createdAt }) => day(createdAt) },
                { heading: "Good until", cell: ({ expiresAt }) => day(expiresAt) },
                {
                  heading: "Actions",
                  cell: (invitation) => (
                    <Button
                      look="quiet"
                      onClick={() => setRevoking(invitation)}
                      aria-label={`Take back the invitation of ${invitation.email}`}
                    >
                      Take back…
                    </Button>
                  ),
                },
              ]}
            />
          </section>
        )}
      </Loaded>
      {revoking && (
        <ConfirmAction
          title="Take the invitation back?"
          confirmLabel="Take it back"
          work={() => remove(`/team/${teamId}/invitations/${revoking.id}`)}
          onDone={() => {
            setRevoking(undefined);
            toast("The invitation is taken back.");
            void client.invalidateQueries({ queryKey: ["invitations", teamId] });
          }}
          onClose={() => setRevoking(undefined)}
        >
          <p>The link that was mailed to {revoking.email} will no longer work.</p>
        </ConfirmAction>
      )}
    </>
  );
}
