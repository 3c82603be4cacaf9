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
import "./members.css";

/** The members of the current team, with a search. */
export default function Members() {
  const { team, workspace } = useCurrentUser();
  if (!team)
    return (
      <Page title="Team members">
        <Empty title="You are not in a team">
          <p>Ask a manager of this workspace to add you to a team.</p>
        </Empty>
      </Page>
    );
  const canInvite = hasRole(workspace.role, "admin");
  return (
    <Page title="Team members" actions={canInvite && <InviteButton teamId={team.id} />}>
      {canInvite && <PendingInvitations teamId={team.id} />}
      <MemberList teamId={team.id} teamName={team.name} />
    </Page>
  );
}

function MemberList({ teamId, teamName }: { teamId: string; teamName: string }) {
  const [search, setSearch] = useState("");
  const query = useQuery({
    queryKey: ["members", teamId],
    queryFn: ({ signal }) => get<{ data: Member[] }>(`/team/${teamId}/members`, { signal }),
  });
  return (
    <>
      <div className="field">
        <label htmlFor="member-search">Search by name, email or title</label>
        <input
          id="member-search"
          type="search"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title="This team has no members yet" />}
      >
        {({ data }) => {
          const found = data.filter((member) => matches(member, search));
          return (
            <>
              <p role="status" className="hint">
                {found.length === data.length
                  ? `${data.length} ${data.length === 1 ? "member" : "members"}`
                  : `${found.length} of ${data.length} members`}
              </p>
              {found.length === 0 ? (
                <Empty title="No members match your search" />
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
      <div className="member-name">
        <strong>{name}</strong>
        <span className="hint">{[title, email].filter(Boolean).join(" · ")}</span>
      </div>
      <div className="member-role">
        <span className="badge">{status === "suspended" ? "suspended" : role}</span>
        <span className="hint">since {day(joinedAt)}</span>
      </div>
    </div>
  );
}

function matches({ name, email, title }: Member, search: string): boolean {
  return `${name} ${email} ${title}`.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());
}
