import type { Member } from "@svc/client";
import { useState } from "react";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { InviteButton, PendingInvitations } from "./invitations.tsx";
import { MemberRow } from "./member-row.tsx";
import { useTeamMembers } from "./team-members.ts";
import { useWorkspaceMembers } from "./workspace-members.ts";
import "./members.css";
import { messages } from "./messages.ts";

/** The members of the current team or of the whole workspace, with a search. */
export default function Members() {
  const { team, workspace } = useCurrentUser();
  const canInvite = team && hasRole(workspace.role, "admin");
  return (
    <Page title={messages.members.title} actions={canInvite && <InviteButton teamId={team.id} />}>
      {canInvite && <PendingInvitations teamId={team.id} />}
      <MemberList />
    </Page>
  );
}

function MemberList() {
  const { team, workspace } = useCurrentUser();
  const [search, setSearch] = useState("");
  const [everyone, setEveryone] = useState(!team);
  const ofTeam = useTeamMembers(everyone ? undefined : team?.id);
  const ofWorkspace = useWorkspaceMembers({ enabled: everyone });
  return (
    <>
      <div className="field-pair">
        <div className="field">
          <label htmlFor="member-search">{messages.members.search}</label>
          <input
            id="member-search"
            type="search"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </div>
        {team && (
          <div className="field">
            <label htmlFor="member-list">{messages.members.show}</label>
            <select
              id="member-list"
              value={everyone ? "workspace" : "team"}
              onChange={({ target }) => setEveryone(target.value === "workspace")}
            >
              <option value="team">{messages.members.team(team.name)}</option>
              <option value="workspace">{messages.members.everyone(workspace.name)}</option>
            </select>
          </div>
        )}
      </div>
      <Loaded
        query={everyone ? ofWorkspace : ofTeam}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title={messages.members.none} />}
      >
        {({ data }) => {
          const found = data.filter((member) => matches(member, search));
          return (
            <>
              <p role="status" className="hint">
                {found.length === data.length
                  ? messages.members.count(data.length)
                  : messages.members.found(found.length, data.length)}
              </p>
              {found.length === 0 ? (
                <Empty title={messages.members.noMatch} />
              ) : (
                <div className="member-card">
                  <VirtualList
                    label={messages.members.of(everyone || !team ? workspace.name : team.name)}
                    items={found}
                    itemKey={({ userId }) => userId}
                    rowHeight={57}
                  >
                    {(member) => <MemberRow member={member} />}
                  </VirtualList>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function matches({ name, email, title }: Member, search: string): boolean {
  return `${name} ${email} ${title}`.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase());
}
