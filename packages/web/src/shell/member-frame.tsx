import type { Profile } from "@svc/core/identity/profile/profile";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import {
  cachedWorkspace,
  currentWorkspaceId,
  getCookie,
  setCookie,
  setCurrentWorkspace,
} from "../base/cookies.ts";
import { type CurrentUser, CurrentUserContext, hasPlan, hasRole } from "../base/current-user.ts";
import { queryClient } from "../base/query-client.ts";
import { settle, signOut, useMe } from "../features/identity/session.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Menu } from "../ui/menu.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, ErrorState, Loading } from "../ui/states.tsx";
import { Footer } from "./footer.tsx";
import { headerSlots } from "./header-slots.ts";
import { homePath, type PageRoute, pages } from "./pages.ts";
import { useWide } from "./wide.ts";

const slots = headerSlots.map(({ name, load }) => ({ name, Slot: lazy(load) }));

/** Around pages of members: header, side menu, and who is signed in where. */
export default function MemberFrame({ line, children }: { line: PageRoute; children: ReactNode }) {
  const me = useMe();
  // Switching workspace or team changes cookies, which nothing watches: counted here.
  const [, redraw] = useState(0);
  const move = (change: () => void) => {
    change();
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
    redraw((count) => count + 1);
  };
  const wide = useWide();
  const [collapsed, setCollapsed] = useState(getCookie("svc_sidebar_collapsed") === "1");
  const [drawer, setDrawer] = useState(false);
  const menuShown = wide ? !collapsed : drawer;
  const toggle = () => {
    if (!wide) return setDrawer(!drawer);
    setCookie("svc_sidebar_collapsed", collapsed ? "0" : "1");
    setCollapsed(!collapsed);
  };

  const workspaceId = currentWorkspaceId();
  const teamId = getCookie("svc_current_unit");
  const current = useMemo(() => place(me.data, workspaceId, teamId), [me.data, workspaceId, teamId]);
  return (
    <div className="member-frame" data-menu={menuShown}>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className="head">
        <button
          type="button"
          className="button"
          data-look="quiet"
          aria-label="Menu"
          aria-expanded={menuShown}
          aria-controls="side-menu"
          onClick={toggle}
        >
          <span aria-hidden="true">☰</span>
        </button>
        <Link href={homePath} className="brand">
          svc
        </Link>
        {current ? <Switchers current={current} move={move} /> : <span>{cachedWorkspace()?.name}</span>}
        <div className="head-slots">
          {current && (
            <CurrentUserContext value={current}>
              <Suspense>
                {slots.map(({ name, Slot }) => (
                  <Slot key={`${name} ${current.workspace.id}`} />
                ))}
              </Suspense>
            </CurrentUserContext>
          )}
        </div>
        {current && <Account current={current} />}
      </header>
      <nav id="side-menu" className="side" aria-label="Main" hidden={!menuShown}>
        <SideMenu current={current} onGo={() => setDrawer(false)} />
      </nav>
      <main id="main" className="main" tabIndex={-1}>
        {current ? (
          <CurrentUserContext value={current}>
            <Suspense fallback={<Loading />} key={`${current.workspace.id} ${current.team?.id} ${line.path}`}>
              <Admitted line={line} current={current}>
                {children}
              </Admitted>
            </Suspense>
          </CurrentUserContext>
        ) : me.data ? (
          <Empty title="You are in no workspace">
            <p>Ask somebody to invite you, or to let you in again.</p>
          </Empty>
        ) : me.isError ? (
          <ErrorState error={me.error} retry={() => void me.refetch()} />
        ) : (
          <Loading />
        )}
      </main>
      <Footer />
    </div>
  );
}

function place(me: Profile | undefined, workspaceId?: string, teamId?: string): CurrentUser | undefined {
  const workspace = me?.workspaces.find(({ id }) => id === workspaceId);
  if (!me || !workspace) return undefined;
  return { me, workspace, team: me.teams.find(({ id }) => id === teamId) };
}

/** The page, or why it is not for this person here. The server says the same, whoever asks it. */
function Admitted({
  line,
  current,
  children,
}: {
  line: PageRoute;
  current: CurrentUser;
  children: ReactNode;
}) {
  const { role, plan } = current.workspace;
  if (line.plan && !hasPlan(plan, line.plan))
    return (
      <Page title={line.title}>
        <Empty title={`${line.title} belongs to the plan ${line.plan}`}>
          {line.about && <p>{line.about}</p>}
          <p>
            This workspace has the plan {plan}. Its owner can have it changed; what you have stays as it is.
          </p>
        </Empty>
      </Page>
    );
  if (line.role && !hasRole(role, line.role))
    return (
      <Page title={line.title}>
        <Empty title={`${line.title} is for the role ${line.role} and above`}>
          <p>Your role in this workspace is {role}.</p>
        </Empty>
      </Page>
    );
  return children;
}

function Switchers({ current, move }: { current: CurrentUser; move: (change: () => void) => void }) {
  const { me, workspace, team } = current;
  const teams = me.teams.filter(({ workspaceId }) => workspaceId === workspace.id);
  return (
    <>
      <select
        aria-label="Workspace"
        value={workspace.id}
        onChange={({ target }) =>
          move(() => {
            const chosen = me.workspaces.find(({ id }) => id === target.value);
            if (chosen) setCurrentWorkspace(chosen);
            settle(me);
          })
        }
      >
        {me.workspaces.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {teams.length > 1 && (
        <select
          aria-label="Team"
          value={team?.id}
          onChange={({ target }) => move(() => setCookie("svc_current_unit", target.value))}
        >
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

function Account({ current: { me, workspace } }: { current: CurrentUser }) {
  const [, go] = useLocation();
  const settings = pages.filter(
    ({ group, role }) => group === "Settings" && (!role || hasRole(workspace.role, role)),
  );
  return (
    <Menu
      label={`Account of ${me.name}`}
      items={[
        ...settings.map(({ path, title }) => ({ label: title, onSelect: () => go(path) })),
        { label: "Sign out", onSelect: () => void signOut() },
      ]}
    >
      <Avatar id={me.id} name={me.name} src={me.avatar} size={32} />
    </Menu>
  );
}

function SideMenu({ current, onGo }: { current: CurrentUser | undefined; onGo: () => void }) {
  const shown = pages.filter(
    ({ group, role }) => group && (!role || (current && hasRole(current.workspace.role, role))),
  );
  const groups = [...new Set(shown.map(({ group }) => group))];
  return groups.map((group) => (
    <section key={group} aria-label={group}>
      <p className="side-group" aria-hidden="true">
        {group}
      </p>
      <ul>
        {shown
          .filter((line) => line.group === group)
          .map(({ path, title, plan }) => (
            <li key={path}>
              <SideLink
                path={path}
                title={title}
                plan={current && plan && !hasPlan(current.workspace.plan, plan) ? plan : undefined}
                onGo={onGo}
              />
            </li>
          ))}
      </ul>
    </section>
  ));
}

function SideLink({
  path,
  title,
  plan,
  onGo,
}: {
  path: string;
  title: string;
  /** The plan that it takes, where the workspace has a smaller one. */
  plan: string | undefined;
  onGo: () => void;
}) {
  const [location] = useLocation();
  const here = path === "/" ? location === "/" : `${location}/`.startsWith(`${path}/`);
  return (
    <Link href={path} aria-current={here ? "page" : undefined} onClick={onGo}>
      {title} {plan && <small className="side-plan">{plan}</small>}
    </Link>
  );
}
