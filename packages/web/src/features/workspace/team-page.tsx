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
import "./teams.css";

/** One team: who is in it, and in which role. */
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

/** Teams, their people, and what the caller is in. */
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
  const [doing, setDoing] = useState<"rename" | "add" | "remove">();
  const close = () => setDoing(undefined);
  const manager = hasRole(workspace.role, "manager");
  const query = useQuery({
    queryKey: ["members", team.id],
    queryFn: ({ signal }) => get<{ data: Member[] }>(`/team/${team.id}/members`, { signal }),
  });
  const dissolve = useMutation({
    mutationFn: () => remove(`/team/${team.id}`),
    onSuccess: async () => {
      refreshAfterDelete("teams", team.id);
      toast("The team is deleted.");
      go("/teams");
      await client.invalidateQueries({ queryKey: ["me"] });
    },
  });
  return (
    <>
      {manager && (
        <div className="actions">
          <Button look="primary" onClick={() => setDoing("add")}>
            Add people
          </Button>
          <Button onClick={() => setDoing("rename")}>Rename</Button>
          {hasRole(workspace.role, "admin") && <Button onClick={() => setDoing("remove")}>Delete</Button>}
        </div>
      )}
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title="Nobody is in this team" />}
      >
        {({ data }) => (
          <VirtualList
            label={`People of ${team.name}`}
            items={data}
            itemKey={({ userId }) => userId}
            rowHeight={72}
          >
            {(member) => <Row teamId={team.id} member={member} />}
          </VirtualList>
        )}
      </Loaded>
      {doing === "rename" && <Rename team={team} onClose={close} />}
      {doing === "add" && query.data && <Add team={team} there={query.data.data} onClose={close} />}
      {doing === "remove" && (
        <ConfirmDialog
          title={`Delete ${team.name}?`}
          confirmLabel="Delete"
          busy={dissolve.isPending}
          onConfirm={() => dissolve.mutate()}
          onClose={close}
        >
          <p>Its people stay in the workspace, and so does their time.</p>
          <Failure error={dissolve.error} />
        </ConfirmDialog>
      )}
    </>
  );
}

const below: readonly Role[] = ["member", "manager", "admin"];

/** Roles that somebody may give: those below their own, and an owner all but the owner's. */
function givable(own: Role): readonly Role[] {
  return own === "owner" ? below : below.filter((role) => !hasRole(role, own));
}

function Row({ teamId, member }: { teamId: string; member: Member }) {
  const { me, workspace } = useCurrentUser();
  const refresh = useRefresh();
  const [leaving, setLeaving] = useState(false);
  const { userId, name, email, role, status, avatar, joinedAt } = member;
  const path = `/team/${teamId}/members/${userId}`;
  const change = useMutation({
    mutationFn: (to: Partial<Pick<Member, "role" | "status">>) => patch(path, to),
    onSuccess: async (_, to) => {
      toast(to.role ? `${name} is ${to.role} now.` : `${name} is ${to.status} now.`);
      await refresh();
    },
  });
  const leave = useMutation({
    mutationFn: () => remove(path),
    onSuccess: async () => {
      setLeaving(false);
      toast(`${name} is out of the team.`);
      await refresh();
    },
  });
  const roles = hasRole(workspace.role, "admin") ? givable(workspace.role) : [];
  const governed = roles.includes(role);
  return (
    <div className="member team-row">
      <Avatar id={userId} name={name} src={avatar} size={48} />
      <div className="member-who">
        <strong>{name}</strong>
        <span className="hint">
          {email}, since {day(joinedAt)}
        </span>
        <Failure error={change.error} />
      </div>
      <div className="row team-deeds">
        {status === "suspended" && (
          <span className="badge" data-look="bad">
            suspended
          </span>
        )}
        {governed ? (
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
              aria-label={status === "suspended" ? `Let in again ${name}` : `Suspend ${name}`}
              busy={change.isPending}
              onClick={() => change.mutate({ status: status === "suspended" ? "active" : "suspended" })}
            >
              {status === "suspended" ? "Let in again" : "Suspend"}
            </Button>
          </>
        ) : (
          <span className="badge">{role}</span>
        )}
        {(hasRole(workspace.role, "manager") || userId === me.id) && (
          <Button data-size="small" aria-label={`Take out ${name}`} onClick={() => setLeaving(true)}>
            Take out
          </Button>
        )}
      </div>
      {leaving && (
        <ConfirmDialog
          title={`Take ${name} out of the team?`}
          confirmLabel="Take out"
          busy={leave.isPending}
          onConfirm={() => leave.mutate()}
          onClose={() => setLeaving(false)}
        >
          <p>They stay in the workspace, and so does their time.</p>
          <Failure error={leave.error} />
        </ConfirmDialog>
      )}
    </div>
  );
}

function Rename({ team, onClose }: { team: Team; onClose: () => void }) {
  const refresh = useRefresh();
  const form = useForm({ name: team.name }, async (values) => {
    await patch(`/team/${team.id}`, values);
    toast("The team is renamed.");
    onClose();
    await refresh();
  });
  return (
    <Dialog title="Rename the team" onClose={onClose}>
      <Form form={form} submitLabel="Rename">
        <TextField form={form} name="name" label="Name" maxLength={100} required />
      </Form>
    </Dialog>
  );
}

/** So many people are offered at once; typing narrows them down. */
const offeredAtOnce = 20;

function Add({ team, there, onClose }: { team: Team; there: Member[]; onClose: () => void }) {
  const refresh = useRefresh();
  const [wanted, setWanted] = useState("");
  const query = useWorkspaceMembers();
  const add = useMutation({
    mutationFn: ({ userId }: Member) => post(`/team/${team.id}/members`, { userId }),
    onSuccess: async (_, { name }) => {
      toast(`${name} is in the team.`);
      await refresh();
    },
  });
  return (
    <Dialog title={`Add people to ${team.name}`} onClose={onClose}>
      <div className="field">
        <label htmlFor="person-search">Find by name or e-mail</label>
        <input
          id="person-search"
          type="search"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
      </div>
      <Failure error={add.error} />
      <Loaded query={query}>
        {({ data }) => {
          const others = data.filter(({ userId }) => !there.some((one) => one.userId === userId));
          const found = others.filter(({ name, email }) =>
            `${name} ${email}`.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase()),
          );
          if (others.length === 0) return <Empty title="Everybody of the workspace is in this team" />;
          if (found.length === 0) return <Empty title="Nobody fits what you typed" />;
          return (
            <>
              <ul className="plain-list" aria-label="People who can be added">
                {found.slice(0, offeredAtOnce).map((person) => (
                  <li key={person.userId} className="member">
                    <Avatar id={person.userId} name={person.name} src={person.avatar} size={40} />
                    <div className="member-who">
                      <strong>{person.name}</strong>
                      <span className="hint">{person.email}</span>
                    </div>
                    <Button
                      data-size="small"
                      aria-label={`Add ${person.name}`}
                      busy={add.isPending && add.variables.userId === person.userId}
                      onClick={() => add.mutate(person)}
                    >
                      Add
                    </Button>
                  </li>
                ))}
              </ul>
              {found.length > offeredAtOnce && (
                <p className="hint">And {found.length - offeredAtOnce} more: type a name.</p>
              )}
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
