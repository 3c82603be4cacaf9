import type { Role } from "@svc/core/workspace/authorization";
import type { View as Member } from "@svc/core/workspace/members/member";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { patch, remove } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { toast } from "../../ui/toast.tsx";
import { useRefreshTeams } from "./refresh-teams.ts";
import "./team-member-row.css";

const assignable: readonly Role[] = ["member", "manager", "admin"];

/** Returns the roles that a user can assign: those below their own, and all except owner for an owner. */
function assignableRoles(own: Role): readonly Role[] {
  return own === "owner" ? assignable : assignable.filter((role) => !hasRole(role, own));
}

/** A member of a team, with controls to change the role, suspend or remove the member. */
export function TeamMemberRow({ teamId, member }: { teamId: string; member: Member }) {
  const { me, workspace } = useCurrentUser();
  const refresh = useRefreshTeams();
  const [removing, setRemoving] = useState(false);
  const { userId, name, email, role, status, avatar, joinedAt } = member;
  const path = `/team/${teamId}/members/${userId}`;
  const change = useMutation({
    mutationFn: (to: Partial<Pick<Member, "role" | "status">>) => patch(path, to),
    onSuccess: async (_, to) => {
      toast(`${name} is now ${to.role ?? to.status}.`);
      await refresh();
    },
  });
  const roles = hasRole(workspace.role, "admin") ? assignableRoles(workspace.role) : [];
  const canChange = roles.includes(role);
  return (
    <div className="member team-row">
      <Avatar id={userId} name={name} src={avatar} size={48} />
      <div className="member-name">
        <strong>{name}</strong>
        <span className="hint">
          {email}, since {day(joinedAt)}
        </span>
        <Failure error={change.error} />
      </div>
      <div className="row team-actions">
        {status === "suspended" && (
          <span className="badge" data-look="bad">
            suspended
          </span>
        )}
        {canChange ? (
          <>
            <select
              aria-label={`Role of ${name}`}
              value={role}
              disabled={change.isPending}
              onChange={({ target }) => change.mutate({ role: target.value as Role })}
            >
              {roles.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
            <Button
              data-size="small"
              aria-label={`${status === "suspended" ? "Reactivate" : "Suspend"} ${name}`}
              busy={change.isPending}
              onClick={() => change.mutate({ status: status === "suspended" ? "active" : "suspended" })}
            >
              {status === "suspended" ? "Reactivate" : "Suspend"}
            </Button>
          </>
        ) : (
          <span className="badge">{role}</span>
        )}
        {(hasRole(workspace.role, "manager") || userId === me.id) && (
          <Button data-size="small" aria-label={`Remove ${name}`} onClick={() => setRemoving(true)}>
            Remove
          </Button>
        )}
      </div>
      {removing && (
        <ConfirmAction
          title={`Remove ${name} from the team?`}
          confirmLabel="Remove member"
          action={() => remove(path)}
          onDone={() => {
            setRemoving(false);
            toast(`${name} removed from the team.`);
            void refresh();
          }}
          onClose={() => setRemoving(false)}
        >
          <p>They stay in the workspace, and their time entries are retained.</p>
        </ConfirmAction>
      )}
    </div>
  );
}
