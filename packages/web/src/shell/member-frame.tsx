import type { Profile } from "@svc/client";
import { Menu as MenuIcon } from "lucide-react";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import {
  cachedWorkspace,
  currentWorkspaceId,
  getCookie,
  setCookie,
  setCurrentWorkspace,
} from "../base/cookies.ts";
import {
  type CurrentUser,
  CurrentUserContext,
  hasPlan,
  hasRole,
  needsSecondFactor,
} from "../base/current-user.ts";
import { queryClient } from "../base/query-client.ts";
import { Reauthentication } from "../features/identity/reauthentication.tsx";
import { isPasskeyOffered, selectWorkspace, signOut, useMe } from "../features/identity/session.ts";
import { planChangeHint } from "../features/workspace/plan-features.ts";
import { Avatar } from "../ui/avatar.tsx";
import { WordMark } from "../ui/brand.tsx";
import { Conflicts } from "../ui/conflict.tsx";
import { DialogHost } from "../ui/dialog-host.tsx";
import { Menu } from "../ui/menu.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, ErrorState, Loading } from "../ui/states.tsx";
import { Footer } from "./footer.tsx";
import { headerSlots } from "./header-slots.ts";
import { homePath, type PageRoute, pages } from "./pages.ts";
import { ThemeMenu } from "./theme-menu.tsx";
import { useWide } from "./wide.ts";

/** Applies a change of the workspace or team and renders the frame again. */
type SwitchTo = (change: () => void) => void;

const slots = headerSlots.map(({ name, load }) => ({ name, Slot: lazy(load) }));

const PasskeyOffer = lazy(() => import("../features/identity/passkey-offer.tsx"));

/** The frame of the member pages: header, side menu, and the context of the signed-in user. */
export default function MemberFrame({ page, children }: { page: PageRoute; children: ReactNode }) {
  const me = useMe();
  // Switching workspace or team changes only cookies, so the frame has to be rendered again.
  const [, rerender] = useState(0);
  const switchTo: SwitchTo = (change) => {
    change();
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "me" });
    rerender((count) => count + 1);
  };
  const wide = useWide();
  const [collapsed, setCollapsed] = useState(getCookie("svc_sidebar_collapsed") === "1");
  const [drawer, setDrawer] = useState(false);
  const [passkeyOffered] = useState(isPasskeyOffered);
  const menuShown = wide ? !collapsed : drawer;
  const toggle = () => {
    if (!wide) return setDrawer(!drawer);
    setCookie("svc_sidebar_collapsed", collapsed ? "0" : "1");
    setCollapsed(!collapsed);
  };

  const workspaceId = currentWorkspaceId();
  const teamId = getCookie("svc_current_unit");
  const current = useMemo(() => findCurrent(me.data, workspaceId, teamId), [me.data, workspaceId, teamId]);
  return (
    <div className="member-frame" data-menu={menuShown}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header current={current} switchTo={switchTo} menuShown={menuShown} onToggleMenu={toggle} />
      <nav id="side-menu" className="side" aria-label="Main" hidden={!menuShown}>
        <SideMenu current={current} onNavigate={() => setDrawer(false)} />
      </nav>
      <main id="main" className="main" tabIndex={-1}>
        {current ? (
          <CurrentUserContext value={current}>
            <Conflicts>
              <Reauthentication>
                <Suspense>{passkeyOffered && <PasskeyOffer />}</Suspense>
                <Suspense
                  fallback={<Loading />}
                  key={`${current.workspace.id} ${current.team?.id} ${page.path}`}
                >
                  <AccessGate page={page} current={current}>
                    <DialogHost>{children}</DialogHost>
                  </AccessGate>
                </Suspense>
              </Reauthentication>
            </Conflicts>
          </CurrentUserContext>
        ) : me.data ? (
          <Empty title="You are not in a workspace">
            <p>Ask an admin to invite you or to reactivate your membership.</p>
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

function findCurrent(
  me: Profile | undefined,
  workspaceId?: string,
  teamId?: string,
): CurrentUser | undefined {
  const workspace = me?.workspaces.find(({ id }) => id === workspaceId);
  if (!me || !workspace) return undefined;
  return { me, workspace, team: me.teams.find(({ id }) => id === teamId) };
}

function Header({
  current,
  switchTo,
  menuShown,
  onToggleMenu,
}: {
  current: CurrentUser | undefined;
  switchTo: SwitchTo;
  menuShown: boolean;
  onToggleMenu: () => void;
}) {
  return (
    <header className="head">
      <button
        type="button"
        className="button"
        data-look="quiet"
        aria-label="Menu"
        aria-expanded={menuShown}
        aria-controls="side-menu"
        onClick={onToggleMenu}
      >
        <MenuIcon />
      </button>
      <Link href={homePath} className="brand">
        <WordMark />
      </Link>
      {current ? <Switchers current={current} switchTo={switchTo} /> : <span>{cachedWorkspace()?.name}</span>}
      <div className="head-slots">
        {current && !needsSecondFactor(current) && (
          <CurrentUserContext value={current}>
            <Suspense>
              {slots.map(({ name, Slot }) => (
                <Slot key={`${name} ${current.workspace.id}`} />
              ))}
            </Suspense>
          </CurrentUserContext>
        )}
      </div>
      <ThemeMenu />
      {current && <AccountMenu current={current} />}
    </header>
  );
}

/** Renders the page, or explains that it needs a second factor, a plan or a role. The API enforces the same rules. */
function AccessGate({
  page,
  current,
  children,
}: {
  page: PageRoute;
  current: CurrentUser;
  children: ReactNode;
}) {
  const [location] = useLocation();
  const { name, role, plan } = current.workspace;
  if (!page.account && needsSecondFactor(current))
    return (
      <Page title={page.title}>
        <Empty title={`${name} requires two-factor authentication`}>
          <p>
            Set up an authenticator app, a passkey or a security key for your account. Then continue here.
          </p>
          <p>
            <Link href={`/settings/security?next=${encodeURIComponent(location)}`}>
              Set up two-factor authentication
            </Link>
          </p>
        </Empty>
      </Page>
    );
  if (page.plan && !hasPlan(plan, page.plan))
    return (
      <Page title={page.title}>
        <Empty title={`Available on the ${page.plan} plan`}>
          {page.about && <p>{page.about}</p>}
          <p>
            This workspace is on the {plan} plan. {planChangeHint(role)}
          </p>
        </Empty>
      </Page>
    );
  if (page.role && !hasRole(role, page.role))
    return (
      <Page title={page.title}>
        <Empty title={`You need the ${page.role} role or higher to open this page`}>
          <p>Your role in this workspace is {role}.</p>
        </Empty>
      </Page>
    );
  return children;
}

function Switchers({ current, switchTo }: { current: CurrentUser; switchTo: SwitchTo }) {
  const { me, workspace, team } = current;
  const teams = me.teams.filter(({ workspaceId }) => workspaceId === workspace.id);
  return (
    <>
      <select
        aria-label="Workspace"
        value={workspace.id}
        onChange={({ target }) =>
          switchTo(() => {
            const chosen = me.workspaces.find(({ id }) => id === target.value);
            if (chosen) setCurrentWorkspace(chosen);
            selectWorkspace(me);
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
          onChange={({ target }) => switchTo(() => setCookie("svc_current_unit", target.value))}
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

function AccountMenu({ current: { me, workspace } }: { current: CurrentUser }) {
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
      <Avatar id={me.id} name={me.name} picture={me} size={32} />
    </Menu>
  );
}

function SideMenu({ current, onNavigate }: { current: CurrentUser | undefined; onNavigate: () => void }) {
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
          .filter((page) => page.group === group)
          .map(({ path, title, plan }) => (
            <li key={path}>
              <SideLink
                path={path}
                title={title}
                plan={current && plan && !hasPlan(current.workspace.plan, plan) ? plan : undefined}
                onNavigate={onNavigate}
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
  onNavigate,
}: {
  path: string;
  title: string;
  /** The required plan, if the workspace has a smaller one. */
  plan: string | undefined;
  onNavigate: () => void;
}) {
  const [location] = useLocation();
  const active = path === "/" ? location === "/" : `${location}/`.startsWith(`${path}/`);
  return (
    <Link href={path} aria-current={active ? "page" : undefined} onClick={onNavigate}>
      {title} {plan && <small className="side-plan">{plan}</small>}
    </Link>
  );
}
