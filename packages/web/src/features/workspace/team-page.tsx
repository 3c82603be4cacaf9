import type { Role } from "@svc/core/workspace/authorization";
import type { View as Member } from "@svc/core/workspace/members/member";
import type { View as Team } from "@svc/core/workspace/teams/team";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { get, patch, post, remove } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { refreshAfterDelete } from "../../base/query-client.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { useWorkspaceMembers } from "./workspace-members.ts";
import "./members.css";
import "./team-page.css";

/** One team: its members and their roles. */
export default function TeamPage() {
  const { id = "" } = useParams();
  const query = useQuery({
    queryKey: ["teams", "one", id],
    queryFn: ({ signal }) => get<Team>(`/team/${id}`, { signal }),
  });
  return (
    <Page title={query.data?.name ?? "Team"}>
      <p>
        <Link href="/teams">All teams</Link>
      </p>
      <Loaded query={query}>{(team) => <Detail key={team.id} team={team} />}</Loaded>
    </Page>
  );
}

/** Returns a function that refetches teams, members and the user's own profile. */
function useRefresh(): () => Promise<unknown> {
  const client = useQueryClient();
  return () =>
    Promise.all(
      ["teams", "members", "people", "me"].map((noun) => client.invalidateQueries({ queryKey: [noun] })),
    );
}

function Detail({ team }: { team: Team }) {
  const { workspace } = useCurrentUser();
  const [, go] = useLocation();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<"rename" | "add" | "delete">();
  const close = () => setDialog(undefined);
  const canManage = hasRole(workspace.role, "manager");
  const query = useQuery({
    queryKey: ["members", team.id],
    queryFn: ({ signal }) => get<{ data: Member[] }>(`/team/${team.id}/members`, { signal }),
  });
  const dissolve = useMutation({
    mutationFn: () => remove(`/team/${team.id}`),
    onSuccess: async () => {
      refreshAfterDelete("teams", team.id);
      toast("Team deleted.");
      go("/teams");
      await client.invalidateQueries({ queryKey: ["me"] });
    },
  });
  return (
    <>
      {canManage && (
        <div className="actions">
          <Button look="primary" onClick={() => setDialog("add")}>
            Add members
          </Button>
          <Button onClick={() => setDialog("rename")}>Rename team</Button>
          {hasRole(workspace.role, "admin") && (
            <Button onClick={() => setDialog("delete")}>Delete team</Button>
          )}
        </div>
      )}
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title="This team has no members">
            {canManage && <p>Add members to let them track time together.</p>}
          </Empty>
        }
      >
        {({ data }) => (
          <VirtualList
            label={`Members of ${team.name}`}
            items={data}
            itemKey={({ userId }) => userId}
            rowHeight={72}
          >
            {(member) => <MemberRow teamId={team.id} member={member} />}
          </VirtualList>
        )}
      </Loaded>
      {dialog === "rename" && <RenameDialog team={team} onClose={close} />}
      {dialog === "add" && query.data && <AddDialog team={team} members={query.data.data} onClose={close} />}
      {dialog === "delete" && (
        <ConfirmDialog
          title={`Delete ${team.name}?`}
          confirmLabel="Delete team"
          busy={dissolve.isPending}
          onConfirm={() => dissolve.mutate()}
          onClose={close}
        >
          <p>Its members stay in the workspace, and their time entries are retained.</p>
          <Failure error={dissolve.error} />
        </ConfirmDialog>
      )}
    </>
  );
}

const assignable: readonly Role[] = ["member", "manager", "admin"];

/** Returns the roles that a user can assign: those below their own, and all except owner for an owner. */
function assignableRoles(own: Role): readonly Role[] {
  return own === "owner" ? assignable : assignable.filter((role) => !hasRole(role, own));
}

function MemberRow({ teamId, member }: { teamId: string; member: Member }) {
  const { me, workspace } = useCurrentUser();
  const refresh = useRefresh();
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
  const removal = useMutation({
    mutationFn: () => remove(path),
    onSuccess: async () => {
      setRemoving(false);
      toast(`${name} removed from the team.`);
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
        <ConfirmDialog
          title={`Remove ${name} from the team?`}
          confirmLabel="Remove member"
          busy={removal.isPending}
          onConfirm={() => removal.mutate()}
          onClose={() => setRemoving(false)}
        >
          <p>They stay in the workspace, and their time entries are retained.</p>
          <Failure error={removal.error} />
        </ConfirmDialog>
      )}
    </div>
  );
}

function RenameDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const refresh = useRefresh();
  const form = useForm({ name: team.name }, async (values) => {
    await patch(`/team/${team.id}`, values);
    toast("Team renamed.");
    onClose();
    await refresh();
  });
  return (
    <Dialog title={`Rename ${team.name}`} onClose={onClose}>
      <Form form={form} submitLabel="Rename team">
        <TextField form={form} name="name" label="Name" maxLength={100} required />
      </Form>
    </Dialog>
  );
}

/** The number of people listed at once. Searching narrows the list down. */
const maxListed = 20;

function AddDialog({ team, members, onClose }: { team: Team; members: Member[]; onClose: () => void }) {
  const refresh = useRefresh();
  const [search, setSearch] = useState("");
  const query = useWorkspaceMembers();
  const add = useMutation({
    mutationFn: ({ userId }: Member) => post(`/team/${team.id}/members`, { userId }),
    onSuccess: async (_, { name }) => {
      toast(`${name} added to the team.`);
      await refresh();
    },
  });
  return (
    <Dialog title={`Add members to ${team.name}`} onClose={onClose}>
      <div className="field">
        <label htmlFor="member-search">Search by name or email</label>
        <input
          id="member-search"
          type="search"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      <Failure error={add.error} />
      <Loaded query={query}>
        {({ data }) => {
          const others = data.filter(({ userId }) => !members.some((one) => one.userId === userId));
          const found = others.filter(({ name, email }) =>
            `${name} ${email}`.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()),
          );
          if (others.length === 0) return <Empty title="All members of the workspace are in this team" />;
          if (found.length === 0) return <Empty title="No one matches your search" />;
          return (
            <>
              <ul className="plain-list" aria-label="Members who can be added">
                {found.slice(0, maxListed).map((member) => (
                  <li key={member.userId} className="member">
                    <Avatar id={member.userId} name={member.name} src={member.avatar} size={40} />
                    <div className="member-name">
                      <strong>{member.name}</strong>
                      <span className="hint">{member.email}</span>
                    </div>
                    <Button
                      data-size="small"
                      aria-label={`Add ${member.name}`}
                      busy={add.isPending && add.variables.userId === member.userId}
                      onClick={() => add.mutate(member)}
                    >
                      Add
                    </Button>
                  </li>
                ))}
              </ul>
              {found.length > maxListed && (
                <p className="hint">{found.length - maxListed} more. Search to find them.</p>
              )}
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
