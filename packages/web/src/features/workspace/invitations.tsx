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
import { messages } from "./messages.ts";

/** A button that opens the invitation dialog. For admins. */
export function InviteButton({ teamId }: { teamId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        {messages.invitations.ask}
      </Button>
      {open && <InviteDialog teamId={teamId} onClose={() => setOpen(false)} />}
    </>
  );
}

const roles = [
  { value: "member", label: messages.invitations.roles.member },
  { value: "manager", label: messages.invitations.roles.manager },
];
/** Only owners can invite admins. */
const ownerRoles = [{ value: "admin", label: messages.invitations.roles.admin }];

function InviteDialog({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const { workspace, team } = useCurrentUser();
  const client = useQueryClient();
  const form = useForm(
    { email: "", role: "member" as Role },
    async (values, idempotencyKey) => {
      const path = { id: teamId };
      await svc.post("/team/{id}/invitations", { path, body: values, idempotencyKey });
      toast(messages.invitations.sent(values.email.trim()));
      onClose();
      await client.invalidateQueries({ queryKey: ["invitations", teamId] });
    },
    { draft: `invitation ${teamId}`, creates: true },
  );
  return (
    <Dialog
      title={team ? messages.invitations.title(team.name) : messages.invitations.titleWithoutTeam}
      onClose={onClose}
    >
      <Form
        form={form}
        submitLabel={messages.invitations.submit}
        actions={<Button onClick={onClose}>{messages.cancel}</Button>}
      >
        <TextField form={form} name="email" label={messages.email} type="email" autoComplete="off" required />
        <SelectField
          form={form}
          name="role"
          label={messages.role.label(workspace.name)}
          options={workspace.role === "owner" ? [...roles, ...ownerRoles] : roles}
        />
        <p className="hint">{messages.invitations.hint}</p>
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
            <h2 id="invitations">{messages.invitations.pending}</h2>
            <Table
              caption={messages.invitations.pending}
              rows={data}
              rowKey={({ id }) => id}
              columns={[
                { heading: messages.email, cell: ({ email }) => email },
                { heading: messages.invitations.role, cell: ({ role }) => messages.roles[role] },
                { heading: messages.invitations.invited, cell: ({ createdAt }) => day(createdAt) },
                { heading: messages.invitations.expires, cell: ({ expiresAt }) => day(expiresAt) },
                {
                  heading: messages.actions,
                  cell: (invitation) => (
                    <Button
                      look="quiet"
                      onClick={() => setRevoking(invitation)}
                      aria-label={messages.invitations.revokeFor(invitation.email)}
                    >
                      {messages.invitations.revoke}
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
          title={messages.invitations.question}
          confirmLabel={messages.invitations.confirm}
          action={() =>
            svc.delete("/team/{id}/invitations/{invitationId}", {
              path: { id: teamId, invitationId: revoking.id },
            })
          }
          onDone={() => {
            setRevoking(undefined);
            toast(messages.invitations.revoked);
            void client.invalidateQueries({ queryKey: ["invitations", teamId] });
          }}
          onClose={() => setRevoking(undefined)}
        >
          <p>{messages.invitations.warning(revoking.email)}</p>
        </ConfirmAction>
      )}
    </>
  );
}
