import type { View as Member } from "@svc/core/workspace/members/member";
import type { View as Workspace } from "@svc/core/workspace/workspace";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, post } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, SelectField, useForm } from "../../ui/form.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

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
          action={() => post(`/workspaces/${leaving.id}/leave`)}
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
            You will be removed from all its teams, your API tokens for it will stop working and your running
            timer will stop. Your time entries are retained. To return, you need a new invitation.
          </p>
        </ConfirmAction>
      )}
      {transferring && <TransferDialog workspace={transferring} onClose={() => setTransferring(undefined)} />}
    </section>
  );
}

function TransferDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { me } = useCurrentUser();
  const teams = me.teams.filter(({ workspaceId }) => workspaceId === workspace.id);
  const results = useQueries({
    queries: teams.map(({ id }) => ({
      queryKey: ["members", id],
      queryFn: () => get<{ data: Member[] }>(`/team/${id}/members`),
    })),
  });
  const failed = results.find(({ isError }) => isError);
  const members = results.flatMap(({ data }) => data?.data ?? []);
  const others = [...new Map(members.map((one) => [one.userId, one])).values()].filter(
    ({ userId, status }) => userId !== me.id && status === "active",
  );
  return (
    <Dialog title={`Transfer ${workspace.name}`} onClose={onClose}>
      {failed ? (
        <ErrorState error={failed.error} retry={() => void failed.refetch()} />
      ) : results.some(({ isPending }) => isPending) ? (
        <Loading />
      ) : others.length === 0 ? (
        <Empty title="There is no member to transfer to">
          <p>Invite the new owner under Team members first.</p>
        </Empty>
      ) : (
        <TransferForm workspace={workspace} others={others} onClose={onClose} />
      )}
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
  const form = useForm({ userId: others[0]?.userId ?? "" }, async ({ userId }) => {
    await post(`/workspaces/${workspace.id}/transfer`, { userId });
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
