import type { View as Member } from "@svc/core/workspace/members/member";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { InviteButton, PendingInvitations } from "./invitations.tsx";

/** Everybody in the current team, with their pictures. */
export default function Members() {
  const { team, workspace } = useCurrentUser();
  if (!team)
    return (
      <Page title="Team members">
        <Empty title="You are in no team of this workspace">
          <p>Ask somebody in a team to add you.</p>
        </Empty>
      </Page>
    );
  const invites = hasRole(workspace.role, "admin");
  return (
    <Page title="Team members" actions={invites && <InviteButton teamId={team.id} />}>
      {invites && <PendingInvitations teamId={team.id} />}
      <MemberList teamId={team.id} teamName={team.name} />
    </Page>
  );
}

function MemberList({ teamId, teamName }: { teamId: string; teamName: string }) {
  const [wanted, setWanted] = useState("");
  const query = useQuery({
    queryKey: ["members", teamId],
    queryFn: ({ signal }) => get<{ data: Member[] }>(`/team/${teamId}/members`, { signal }),
  });
  return (
    <>
      <div className="field">
        <label htmlFor="member-search">Find by name, e-mail or title</label>
        <input
          id="member-search"
          type="search"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
      </div>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title="Nobody is in this team yet" />}
      >
        {({ data }) => {
          const found = data.filter((member) => fits(member, wanted));
          return (
            <>
              <p role="status" className="hint">
                {found.length === data.length
                  ? `${data.length} people`
                  : `${found.length} of ${data.length} people`}
              </p>
              {found.length === 0 ? (
                <Empty title="Nobody fits what you typed" />
              ) : (
                <VirtualList
                  label={`Members of ${teamName}`}
                  items={found}
                  itemKey={({ userId }) => userId}
                  rowHeight={72}
                >
                  {(member) => <MemberRow member={member} />}
                </VirtualList>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function MemberRow({ member }: { member: Member }) {
  const { userId, name, email, role, title, status, avatar, joinedAt } = member;
  return (
    <div className="member">
      <Avatar id={userId} name={name} src={avatar} size={48} />
      <div className="member-who">
        <strong>{name}</strong>
        <span className="hint">{[title, email].filter(Boolean).join(" · ")}</span>
      </div>
      <div className="member-what">
        <span className="badge">{status === "suspended" ? "suspended" : role}</span>
        <span className="hint">since {day(joinedAt)}</span>
      </div>
    </div>
  );
}

function fits({ name, email, title }: Member, wanted: string): boolean {
  return `${name} ${email} ${title}`.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase());
}
