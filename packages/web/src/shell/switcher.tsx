import { ChevronsUpDown } from "lucide-react";
import { Link } from "wouter";
import { cachedWorkspace, setCookie, setCurrentWorkspace } from "../base/cookies.ts";
import type { CurrentUser } from "../base/current-user.ts";
import { selectWorkspace } from "../features/identity/session.ts";
import { Mark } from "../ui/brand.tsx";
import { Menu } from "../ui/menu.tsx";
import { messages as uiMessages } from "../ui/messages.ts";
import { messages } from "./messages.ts";
import { homePath } from "./pages.ts";

/** Applies a change of the workspace or team and renders the frame again. */
export type SwitchTo = (change: () => void) => void;

/**
 * The word mark with the name of the workspace. It opens the list of the user's workspaces, and of their teams in this one, if
 * there is something to choose. Otherwise it leads to the home page.
 */
export function Switcher({ current, switchTo }: { current: CurrentUser | undefined; switchTo: SwitchTo }) {
  if (!current)
    return (
      <Link href={homePath} className="switcher">
        <Name workspace={cachedWorkspace()?.name} />
      </Link>
    );
  const { me, workspace, team } = current;
  const teams = me.teams.filter(({ workspaceId }) => workspaceId === workspace.id);
  if (me.workspaces.length === 1 && teams.length < 2)
    return (
      <Link href={homePath} className="switcher">
        <Name workspace={workspace.name} />
      </Link>
    );
  return (
    <Menu
      label={
        teams.length > 1 && team
          ? messages.inTeam(workspace.name, team.name)
          : messages.inWorkspace(workspace.name)
      }
      className="switcher"
      placement="bottom start"
      choices={[
        {
          title: messages.workspace,
          selected: workspace.id,
          options: me.workspaces.map(({ id, name }) => ({ id, label: name })),
          onSelect: (id) =>
            switchTo(() => {
              const chosen = me.workspaces.find((one) => one.id === id);
              if (chosen) setCurrentWorkspace(chosen);
              selectWorkspace(me);
            }),
        },
        ...(teams.length > 1
          ? [
              {
                title: messages.team,
                selected: team?.id,
                options: teams.map(({ id, name }) => ({ id, label: name })),
                onSelect: (id: string) => switchTo(() => setCookie("svc_current_unit", id)),
              },
            ]
          : []),
      ]}
    >
      <Name workspace={workspace.name} team={teams.length > 1 ? team?.name : undefined} />
      <ChevronsUpDown className="switcher-arrows" />
    </Menu>
  );
}

function Name({ workspace, team }: { workspace: string | undefined; team?: string | undefined }) {
  return (
    <>
      <Mark />
      <span className="switcher-name">
        <span className="switcher-brand">{uiMessages.product}</span>
        <span className="switcher-workspace">{workspace}</span>
        {team && <span className="switcher-team">{team}</span>}
      </span>
    </>
  );
}
