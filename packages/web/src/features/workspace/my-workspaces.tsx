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

/** The workspaces that the person is in: to go from, and those that they own to hand over. */
export function MyWorkspaces() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const [leaving, setLeaving] = useState<Workspace>();
  const [handing, setHanding] = useState<Workspace>();
  return (
    <section aria-labelledby="workspaces">
      <h2 id="workspaces">Workspaces</h2>
      <ul className="items">
        {me.workspaces.map((workspace) => (
          <li key={workspace.id}>
            <div>
              <strong>{workspace.name}</strong>
              <p className="hint">
                You are {workspace.role === "owner" ? "its owner" : workspace.role} · plan {workspace.plan}
              </p>
            </div>
            {workspace.role === "owner" ? (
              <Button onClick={() => setHanding(workspace)} aria-label={`Hand over ${workspace.name}`}>
                Hand over…
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
          confirmLabel="Leave"
          work={() => post(`/workspaces/${leaving.id}/leave`)}
          onDone={() => {
            setLeaving(undefined);
            toast(`You have left ${leaving.name}.`);
            // What is kept of the workspace would only be refused; `me` leads to another one.
            client.removeQueries({ queryKey: ["tokens"] });
            void client.invalidateQueries({ queryKey: ["me"] });
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            You are out of all its teams, your tokens for it stop working and a running timer is stopped. What
            you tracked stays. To come back you have to be invited.
          </p>
        </ConfirmAction>
      )}
      {handing && <HandOver workspace={handing} onClose={() => setHanding(undefined)} />}
    </section>
  );
}

function HandOver({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const { me } = useCurrentUser();
  const teams = me.teams.filter(({ workspaceId }) => workspaceId === workspace.id);
  const found = useQueries({
    queries: teams.map(({ id }) => ({
      queryKey: ["members", id],
      queryFn: () => get<{ data: Member[] }>(`/team/${id}/members`),
    })),
  });
  const failed = found.find(({ isError }) => isError);
  const members = found.flatMap(({ data }) => data?.data ?? []);
  const others = [...new Map(members.map((one) => [one.userId, one])).values()].filter(
    ({ userId, status }) => userId !== me.id && status === "active",
  );
  return (
    <Dialog title={`Hand over ${workspace.name}`} onClose={onClose}>
      {failed ? (
        <ErrorState error={failed.error} retry={() => void failed.refetch()} />
      ) : found.some(({ isPending }) => isPending) ? (
        <Loading />
      ) : others.length === 0 ? (
        <Empty title="Nobody else is in your teams of this workspace">
          <p>Invite the next owner under Team members first.</p>
        </Empty>
      ) : (
        <HandOverForm workspace={workspace} others={others} onClose={onClose} />
      )}
    </Dialog>
  );
}

function HandOverForm({
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
    toast(`${workspace.name} belongs to ${name} now, and you are an admin of it.`);
    onClose();
    await client.invalidateQueries();
  });
  return (
    <>
      <p>The next owner decides about plan, people and everything else. You stay as an admin.</p>
      <Form form={form} submitLabel="Hand over" actions={<Button onClick={onClose}>Cancel</Button>}>
        <SelectField
          form={form}
          name="userId"
          label="Next owner"
          options={others.map(({ userId, name, email }) => ({ value: userId, label: `${name}, ${email}` }))}
        />
      </Form>
    </>
  );
}
