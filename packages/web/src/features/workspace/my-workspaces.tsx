import type { Member, Workspace } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { ComboField } from "../../ui/combo-field.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { useReauthentication } from "../identity/reauthentication.tsx";
import { messages } from "./messages.ts";
import { useWorkspaceMembers } from "./workspace-members.ts";

/** Lists the user's workspaces. A member can leave a workspace; its owner can transfer it. */
export function MyWorkspaces() {
  const { me } = useCurrentUser();
  const client = useQueryClient();
  const [leaving, setLeaving] = useState<Workspace>();
  const [transferring, setTransferring] = useState<Workspace>();
  return (
    <section aria-labelledby="workspaces">
      <h2 id="workspaces">{messages.mine.title}</h2>
      <ul className="items">
        {me.workspaces.map((workspace) => (
          <li key={workspace.id}>
            <div>
              <strong>{workspace.name}</strong>
              <p className="hint">
                {messages.mine.facts(messages.roleNouns[workspace.role], workspace.plan)}
              </p>
            </div>
            {workspace.role === "owner" ? (
              <Button
                onClick={() => setTransferring(workspace)}
                aria-label={messages.mine.transferOne(workspace.name)}
              >
                {messages.mine.transfer}
              </Button>
            ) : (
              <Button
                onClick={() => setLeaving(workspace)}
                aria-label={messages.mine.leaveOne(workspace.name)}
              >
                {messages.mine.leave}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {leaving && (
        <ConfirmAction
          title={messages.mine.question(leaving.name)}
          confirmLabel={messages.mine.confirm}
          action={() => svc.post("/workspaces/{id}/leave", { path: { id: leaving.id } })}
          onDone={() => {
            setLeaving(undefined);
            toast(messages.mine.left(leaving.name));
            // Cached data of this workspace can no longer be refetched; `me` selects another workspace.
            client.removeQueries({ queryKey: ["tokens"] });
            void client.invalidateQueries({ queryKey: ["me"] });
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>{messages.mine.warning}</p>
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
    <Dialog title={messages.mine.transferOne(workspace.name)} onClose={onClose}>
      <Loaded
        query={query}
        isEmpty={({ data }) => !data.some(isOther)}
        empty={
          <Empty title={messages.mine.noOther}>
            <p>{messages.mine.noOtherHint}</p>
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
    const name = others.find((one) => one.userId === userId)?.name ?? "";
    toast(messages.mine.transferred(name, workspace.name));
    onClose();
    await client.invalidateQueries();
  });
  return (
    <>
      <p>{messages.mine.transferWarning}</p>
      <Form
        form={form}
        submitLabel={messages.mine.transferSubmit}
        actions={<Button onClick={onClose}>{messages.cancel}</Button>}
      >
        <ComboField
          form={form}
          name="userId"
          label={messages.mine.newOwner}
          options={others.map(({ userId, name, email }) => ({
            value: userId,
            label: messages.mine.person(name, email),
          }))}
        />
      </Form>
    </>
  );
}
