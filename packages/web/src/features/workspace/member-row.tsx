import type { Member, Role } from "@svc/client";
import { useMutation } from "@tanstack/react-query";
import { CirclePause, CirclePlay, Ellipsis, ShieldHalf, UserMinus, UsersRound } from "lucide-react";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, SelectField, useForm } from "../../ui/form.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { useReauthentication } from "../identity/reauthentication.tsx";
import { messages } from "./messages.ts";
import { useRefreshTeams } from "./refresh-teams.ts";
import "./members.css";

/** The roles that can be assigned, lowest first. The owner changes only by a transfer. */
const assignable: readonly Role[] = ["member", "manager", "admin"];

/** A member with a menu of the changes that the user may make. With `teamId`, the menu can also remove them from this team. */
export function MemberRow({ member, teamId }: { member: Member; teamId?: string }) {
  const { userId, name, email, role, title, status, joinedAt } = member;
  return (
    <div className="member">
      <Avatar id={userId} name={name} picture={member} size={36} />
      <div className="member-name">
        <strong>{name}</strong>
        <span className="hint">{title ? messages.members.titleAndEmail(title, email) : email}</span>
      </div>
      <div className="member-role">
        <span className="member-role-name">
          {messages.roles[role]}
          {status === "suspended" && (
            <span className="badge" data-look="bad">
              {messages.suspended}
            </span>
          )}
        </span>
        <span className="hint">{messages.members.since(day(joinedAt))}</span>
      </div>
      <Actions member={member} teamId={teamId} />
    </div>
  );
}

type Action = "role" | "suspend" | "remove" | "remove from team";

function Actions({ member, teamId }: { member: Member; teamId: string | undefined }) {
  const { me, workspace } = useCurrentUser();
  const refresh = useRefreshTeams();
  const reauthenticate = useReauthentication();
  const [open, setOpen] = useState<Action>();
  const { userId, name, role, status } = member;
  const path = { userId };
  const close = () => setOpen(undefined);
  const done = (message: string) => {
    close();
    toast(message);
    void refresh();
  };
  const reactivate = useMutation({
    mutationFn: () => svc.patch("/api/v1/workspace/members/{userId}", { path, body: { status: "active" } }),
    onSuccess: () => done(messages.suspension.reactivated(name)),
  });

  const isSelf = userId === me.id;
  const canChange = !isSelf && hasRole(workspace.role, "admin") && !hasRole(role, workspace.role);
  const canRemoveFromTeam = isSelf || (hasRole(workspace.role, "manager") && hasRole(workspace.role, role));
  const items: MenuItem[] = [];
  if (canChange)
    items.push(
      { label: messages.role.ask, Icon: ShieldHalf, onSelect: () => setOpen("role") },
      status === "suspended"
        ? { label: messages.suspension.reactivate, Icon: CirclePlay, onSelect: () => reactivate.mutate() }
        : { label: messages.suspension.ask, Icon: CirclePause, onSelect: () => setOpen("suspend") },
    );
  if (teamId && canRemoveFromTeam)
    items.push({
      label: messages.teamRemoval.ask,
      Icon: UsersRound,
      onSelect: () => setOpen("remove from team"),
    });
  if (canChange)
    items.push({
      label: messages.removal.ask,
      Icon: UserMinus,
      danger: true,
      onSelect: () => setOpen("remove"),
    });
  // Without actions, the empty box keeps the columns in line.
  if (items.length === 0) return <div className="member-actions" />;
  return (
    <div className="member-actions">
      <Menu label={messages.members.actionsFor(name)} items={items}>
        <Ellipsis />
      </Menu>
      <Failure error={reactivate.error} />
      {open === "role" && <RoleDialog member={member} path={path} onDone={done} onClose={close} />}
      {open === "suspend" && (
        <ConfirmAction
          title={messages.suspension.question(name)}
          confirmLabel={messages.suspension.confirm}
          action={() =>
            reauthenticate(() =>
              svc.patch("/api/v1/workspace/members/{userId}", { path, body: { status: "suspended" } }),
            )
          }
          onDone={() => done(messages.suspension.done(name))}
          onClose={close}
        >
          <p>{messages.suspension.warning(workspace.name)}</p>
        </ConfirmAction>
      )}
      {open === "remove from team" && (
        <ConfirmAction
          title={messages.teamRemoval.question(name)}
          confirmLabel={messages.teamRemoval.confirm}
          action={() => svc.delete("/team/{id}/members/{userId}", { path: { id: teamId ?? "", userId } })}
          onDone={() => done(messages.teamRemoval.done(name))}
          onClose={close}
        >
          <p>{messages.teamRemoval.warning}</p>
        </ConfirmAction>
      )}
      {open === "remove" && (
        <ConfirmAction
          title={messages.removal.question(name, workspace.name)}
          confirmLabel={messages.removal.confirm}
          action={() => reauthenticate(() => svc.delete("/api/v1/workspace/members/{userId}", { path }))}
          onDone={() => done(messages.removal.done(name, workspace.name))}
          onClose={close}
        >
          <p>{messages.removal.warning}</p>
          <p>{messages.removal.email}</p>
        </ConfirmAction>
      )}
    </div>
  );
}

function RoleDialog({
  member,
  path,
  onDone,
  onClose,
}: {
  member: Member;
  path: { userId: string };
  onDone: (message: string) => void;
  onClose: () => void;
}) {
  const { workspace } = useCurrentUser();
  const form = useForm({ role: member.role }, async ({ role }) => {
    await svc.patch("/api/v1/workspace/members/{userId}", { path, body: { role } });
    onDone(messages.role.done(member.name, messages.roleNouns[role]));
  });
  return (
    <Dialog title={messages.role.title(member.name)} onClose={onClose}>
      <Form
        form={form}
        submitLabel={messages.role.submit}
        actions={<Button onClick={onClose}>{messages.cancel}</Button>}
      >
        <SelectField
          form={form}
          name="role"
          label={messages.role.label(workspace.name)}
          options={assignable
            .filter((role) => !hasRole(role, workspace.role))
            .map((role) => ({ value: role, label: messages.roles[role] }))}
        />
      </Form>
    </Dialog>
  );
}
