import type { Member, Team } from "@svc/client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { number } from "../../base/format.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { messages } from "./messages.ts";
import { useRefreshTeams } from "./refresh-teams.ts";
import { useWorkspaceMembers } from "./workspace-members.ts";

/** The number of people listed at once. Searching narrows the list down. */
const maxListed = 20;

/** Searches the members of the workspace and adds them to the team. */
export function AddMembersDialog({
  team,
  members,
  onClose,
}: {
  team: Team;
  members: Member[];
  onClose: () => void;
}) {
  const refresh = useRefreshTeams();
  const [search, setSearch] = useState("");
  const query = useWorkspaceMembers();
  const add = useMutation({
    mutationFn: ({ userId }: Member) =>
      svc.post("/team/{id}/members", { path: { id: team.id }, body: { userId } }),
    onSuccess: async (_, { name }) => {
      toast(messages.adding.added(name));
      await refresh();
    },
  });
  return (
    <Dialog title={messages.adding.title(team.name)} onClose={onClose}>
      <div className="field">
        <label htmlFor="member-search">{messages.adding.search}</label>
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
          if (others.length === 0) return <Empty title={messages.adding.none} />;
          if (found.length === 0) return <Empty title={messages.adding.noMatch} />;
          return (
            <>
              <ul className="plain-list" aria-label={messages.adding.list}>
                {found.slice(0, maxListed).map((member) => (
                  <li key={member.userId} className="member">
                    <Avatar id={member.userId} name={member.name} picture={member} size={40} />
                    <div className="member-name">
                      <strong>{member.name}</strong>
                      <span className="hint">{member.email}</span>
                    </div>
                    <Button
                      data-size="small"
                      aria-label={messages.adding.addOne(member.name)}
                      busy={add.isPending && add.variables.userId === member.userId}
                      onClick={() => add.mutate(member)}
                    >
                      {messages.adding.add}
                    </Button>
                  </li>
                ))}
              </ul>
              {found.length > maxListed && (
                <p className="hint">{messages.adding.more(number(found.length - maxListed))}</p>
              )}
            </>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
