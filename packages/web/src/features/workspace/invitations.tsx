import type { Invitation, Role } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, TextField, useForm } from "../../ui/form.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { toast } from "../../ui/toast.tsx";

/** A button that opens the invitation dialog. For admins. */
export function InviteButton({ teamId }: { teamId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        Invite member
      </Button>
      {open && <InviteDialog teamId={teamId} onClose={() => setOpen(false)} />}
    </>
  );
}

const roles = [
  { value: "member", label: "Member: tracks time" },
  { value: "manager", label: "Manager: also manages projects and all time entries" },
];
/** Only owners can invite admins. */
const ownerRoles = [{ value: "admin", label: "Admin: also manages members, security and webhooks" }];

function InviteDialog({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const { workspace, team } = useCurrentUser();
  const client = useQueryClient();
  const form = useForm(
    { email: "", role: "member" as Role },
    async (values, idempotencyKey) => {
      const path = { id: teamId };
      await svc.post("/team/{id}/invitations", { path, body: values, idempotencyKey });
      toast(`Invitation sent to ${values.email.trim()}.`);
      onClose();
      await client.invalidateQueries({ queryKey: ["invitations", teamId] });
    },
    { draft: `invitation ${teamId}`, creates: true },
  );
  return (
    <Dialog title={`Invite a member to ${team?.name ?? "the team"}`} onClose={onClose}>
      <Form form={form} submitLabel="Send invitation" actions={<Button onClick={onClose}>Cancel</Button>}>
        <TextField form={form} name="email" label="Email" type="email" autoComplete="off" required />
        <SelectField
          form={form}
          name="role"
          label={`Role in ${workspace.name}`}
          options={workspace.role === "owner" ? [...roles, ...ownerRoles] : roles}
        />
        <p className="hint">They will receive an email with a link that expires in 7 days.</p>
      </Form>
    </Dialog>
  );
}

/** The invitations that were not accepted yet. Renders nothing when there are none. */
export function PendingInvitations({ teamId }: { teamId: string }) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["invitations", teamId],
    queryFn: ({ signal }) => svc.get("/team/{id}/invitations", { path: { id: teamId }, signal }),
  });
  const [revoking, setRevoking] = useState<Invitation>();
  return (
    <>
      <Loaded query={query} isEmpty={({ data }) => data.length === 0} empty={null}>
        {({ data }) => (
          <section aria-labelledby="invitations">
            <h2 id="invitations">Pending invitations</h2>
            <Table
              caption="Pending invitations"
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                { heading: "Email", cell: ({ email }) => email },
                { heading: "Role", cell: ({ role }) => role },
                { heading: "Invited", cell: ({ createdAt }) => day(createdAt) },
                { heading: "Expires", cell: ({ expiresAt }) => day(expiresAt) },
                {
                  heading: "Actions",
                  cell: (invitation) => (
                    <Button
                      look="quiet"
                      onClick={() => setRevoking(invitation)}
                      aria-label={`Revoke the invitation for ${invitation.email}`}
                    >
                      Revoke…
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
          title="Revoke this invitation?"
          confirmLabel="Revoke invitation"
          action={() =>
            svc.delete("/team/{id}/invitations/{invitationId}", {
              path: { id: teamId, invitationId: revoking.id },
            })
          }
          onDone={() => {
            setRevoking(undefined);
            toast("Invitation revoked.");
            void client.invalidateQueries({ queryKey: ["invitations", teamId] });
          }}
          onClose={() => setRevoking(undefined)}
        >
          <p>The link that was sent to {revoking.email} will stop working.</p>
        </ConfirmAction>
      )}
    </>
  );
}
