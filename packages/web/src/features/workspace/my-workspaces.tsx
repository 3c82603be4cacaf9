import type { Member, Workspace } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, useForm } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { useReauthentication } from "../identity/reauthentication.tsx";
import { useWorkspaceMembers } from "./workspace-members.ts";

/** Lists the user's workspaces. A member can leave a workspace; its owner can transfer it. */
export function MyWorkspaces() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const [leaving, setLeaving] = useState<Workspace>();
  const [transferring, setTransferring] = useState<Workspace>();
  return (
    <section aria-labelledby="workspaces">
      <h2 id="workspaces">Workspaces</h2>
      <ul className="items">
        {me.workspaces.map((workspace) => (
          <li key={workspace.id}>
            <div>
              <strong>{workspace.name}</strong>
              <p className="hint">
                Your role: {workspace.role} · Plan: {workspace.plan}
              </p>
            </div>
            {workspace.role === "owner" ? (
              <Button onClick={() => setTransferring(workspace)} aria-label={`Transfer ${workspace.name}`}>
                Transfer…
              </Button>
            ) : (
              <Button onClick={() => setLeaving(workspace)} aria-label={`Leave ${workspace.name}`}>
                Leave…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {leaving && (
        <ConfirmAction
          title={`Leave ${leaving.name}?`}
          confirmLabel="Leave workspace"
          action={() => svc.post("/workspaces/{id}/leave", { path: { id: leaving.id } })}
          onDone={() => {
            setLeaving(undefined);
            toast(`You have left ${leaving.name}.`);
            // Cached data of this workspace can no longer be refetched; `me` selects another workspace.
            client.removeQueries({ queryKey: ["tokens"] });
            void client.invalidateQueries({ queryKey: ["me"] });
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            You will be removed from all its teams, your API tokens and invitations for it will stop working
            and your running timer will stop. Your time entries are retained. To return, you need a new
            invitation.
          </p>
        </ConfirmAction>
      )}
      {transferring && <TransferDialog workspace={transferring} onClose={() => setTransferring(undefined)} />}
    </section>
  );
}

function TransferDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { me } = useCurrentUser();
  const query = useWorkspaceMembers({ id: workspace.id });
  const isOther = ({ userId, status }: Member) => userId !== me.id && status === "active";
  return (
    <Dialog title={`Transfer ${workspace.name}`} onClose={onClose}>
      <Loaded
        query={query}
        isEmpty={({ data }) => !data.some(isOther)}
        empty={
          <Empty title="There is no member to transfer to">
            <p>Invite the new owner under Team members first.</p>
          </Empty>
        }
      >
        {({ data }) => <TransferForm workspace={workspace} others={data.filter(isOther)} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function TransferForm({
  workspace,
  others,
  onClose,
}: {
  workspace: Workspace;
  others: readonly Member[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const reauthenticate = useReauthentication();
  const form = useForm({ userId: others[0]?.userId ?? "" }, async ({ userId }) => {
    await reauthenticate(() =>
      svc.post("/workspaces/{id}/transfer", { path: { id: workspace.id }, body: { userId } }),
    );
    const name = others.find((one) => one.userId === userId)?.name;
    toast(`${name} now owns ${workspace.name}. You are an admin.`);
    onClose();
    await client.invalidateQueries();
  });
  return (
    <>
      <p>The new owner gets full control of the workspace. You remain an admin.</p>
      <Form form={form} submitLabel="Transfer workspace" actions={<Button onClick={onClose}>Cancel</Button>}>
        <SelectField
          form={form}
          name="userId"
          label="New owner"
          options={others.map(({ userId, name, email }) => ({ value: userId, label: `${name}, ${email}` }))}
        />
      </Form>
    </>
  );
}
