import type { Team } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { svc } from "../../base/api.ts";
import { hasRole, useCurrentUser } from "../../base/current-user.ts";
import { refreshAfterDelete } from "../../base/query-client.ts";
import type { Part } from "../../base/versions.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { AddMembersDialog } from "./add-members-dialog.tsx";
import { MemberRow } from "./member-row.tsx";
import { messages } from "./messages.ts";
import { useRefreshTeams } from "./refresh-teams.ts";
import { useTeamMembers } from "./team-members.ts";

/** One team and its members. */
export default function TeamPage() {
  const { id = "" } = useParams();
  const query = useQuery({
    queryKey: ["teams", "one", id],
    queryFn: ({ signal }) => svc.get("/team/{id}", { path: { id }, signal }),
  });
  return (
    <Page
      title={query.data?.name ?? messages.team.title}
      actions={query.data && <TeamTools key={query.data.id} team={query.data} />}
    >
      <p>
        <Link href="/teams">{messages.team.all}</Link>
      </p>
      <Loaded query={query}>{(team) => <TeamMembers key={team.id} team={team} />}</Loaded>
    </Page>
  );
}

function TeamTools({ team }: { team: Team }) {
  const { workspace } = useCurrentUser();
  const [, go] = useLocation();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<"rename" | "add" | "delete">();
  const close = () => setDialog(undefined);
  const query = useTeamMembers(team.id);
  async function deleted(): Promise<void> {
    refreshAfterDelete("teams", team.id);
    toast(messages.team.deleted);
    go("/teams");
    await client.invalidateQueries({ queryKey: ["me"] });
  }
  if (!hasRole(workspace.role, "manager")) return null;
  return (
    <>
      {hasRole(workspace.role, "admin") && (
        <Button onClick={() => setDialog("delete")}>{messages.team.remove}</Button>
      )}
      <Button onClick={() => setDialog("rename")}>{messages.team.rename}</Button>
      <Button look="primary" onClick={() => setDialog("add")}>
        {messages.team.add}
      </Button>
      {dialog === "rename" && <RenameTeamDialog team={team} onClose={close} />}
      {dialog === "add" && query.data && (
        <AddMembersDialog team={team} members={query.data.data} onClose={close} />
      )}
      {dialog === "delete" && <DeleteTeamDialog team={team} onDone={() => void deleted()} onClose={close} />}
    </>
  );
}

function TeamMembers({ team }: { team: Team }) {
  const { workspace } = useCurrentUser();
  return (
    <Loaded
      query={useTeamMembers(team.id)}
      isEmpty={({ data }) => data.length === 0}
      empty={
        <Empty title={messages.team.none}>
          {hasRole(workspace.role, "manager") && <p>{messages.team.noneHint}</p>}
        </Empty>
      }
    >
      {({ data }) => (
        <div className="member-card">
          <VirtualList
            label={messages.members.of(team.name)}
            items={data}
            itemKey={({ userId }) => userId}
            rowHeight={57}
          >
            {(member) => <MemberRow member={member} teamId={team.id} />}
          </VirtualList>
        </div>
      )}
    </Loaded>
  );
}

function DeleteTeamDialog({
  team,
  onDone,
  onClose,
}: {
  team: Team;
  onDone: () => void;
  onClose: () => void;
}) {
  const edit = useEdit(team, teamParts);
  return (
    <ConfirmAction
      title={messages.team.question(team.name)}
      confirmLabel={messages.team.remove}
      action={() => edit.remove((ifMatch) => svc.delete("/team/{id}", { path: { id: team.id }, ifMatch }))}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{messages.team.warning}</p>
    </ConfirmAction>
  );
}

const teamParts: Part<Team>[] = [{ label: messages.name, names: ["name"], show: ({ name }) => name }];

function RenameTeamDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const refresh = useRefreshTeams();
  const edit = useEdit(team, teamParts);
  const form = useForm(
    { name: team.name },
    async (values) => {
      const { saved } = await edit.save(values, (changes, ifMatch) =>
        svc.patch("/team/{id}", { path: { id: team.id }, body: changes, ifMatch }),
      );
      if (saved) toast(messages.team.renamed);
      onClose();
      await refresh();
    },
    { draft: `team ${team.id}` },
  );
  return (
    <Dialog title={messages.team.renameOne(team.name)} onClose={onClose}>
      <Form form={form} submitLabel={messages.team.rename}>
        <TextField form={form} name="name" label={messages.name} maxLength={100} required />
      </Form>
    </Dialog>
  );
}
