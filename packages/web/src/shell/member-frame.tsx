import type { Profile } from "@svc/client";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { currentWorkspaceId, getCookie } from "../base/cookies.ts";
import { type CurrentUser, CurrentUserContext, needsSecondFactor } from "../base/current-user.ts";
import { queryClient } from "../base/query-client.ts";
import { Reauthentication } from "../features/identity/reauthentication.tsx";
import { isPasskeyOffered, useMe } from "../features/identity/session.ts";
import { Conflicts } from "../ui/conflict.tsx";
import { DialogHost } from "../ui/dialog-host.tsx";
import { Empty, ErrorState, Loading } from "../ui/states.tsx";
import { AccessGate } from "./access-gate.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Footer } from "./footer.tsx";
import { messages } from "./messages.ts";
import type { PageRoute } from "./pages.ts";
import { useShortcuts } from "./shortcuts.ts";
import { Sidebar } from "./sidebar.tsx";
import { Switcher, type SwitchTo } from "./switcher.tsx";
import { TabBar } from "./tab-bar.tsx";
import { useWide } from "./wide.ts";

const TimerSlot = lazy(() => import("../features/tracking/timer-slot.tsx"));
const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"));
const PasskeyOffer = lazy(() => import("../features/identity/passkey-offer.tsx"));

/**
 * The frame of the member pages, and the context of the signed-in user. Wide screens have a sidebar and the timer above the
 * page; phones have a tab bar with the timer docked above it.
 */
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
  const { help, setHelp } = useShortcuts();
  const [passkeyOffered] = useState(isPasskeyOffered);

  const workspaceId = currentWorkspaceId();
  const teamId = getCookie("svc_current_unit");
  const current = useMemo(() => findCurrent(me.data, workspaceId, teamId), [me.data, workspaceId, teamId]);
  return (
    <div className="member-frame">
      <a className="skip-link" href="#main">
        {messages.skip}
      </a>
      {wide ? (
        <Sidebar current={current} switchTo={switchTo} onShortcuts={() => setHelp(true)} />
      ) : (
        <header className="phone-head">
          <Switcher current={current} switchTo={switchTo} />
          {current && <AccountMenu current={current} />}
        </header>
      )}
      <div className="timer-place">
        {current && !needsSecondFactor(current) && (
          <CurrentUserContext value={current}>
            <Suspense>
              <TimerSlot key={current.workspace.id} />
            </Suspense>
          </CurrentUserContext>
        )}
      </div>
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
          <Empty title={messages.noWorkspace}>
            <p>{messages.noWorkspaceHint}</p>
          </Empty>
        ) : me.isError ? (
          <ErrorState error={me.error} retry={() => void me.refetch()} />
        ) : (
          <Loading />
        )}
      </main>
      <Footer />
      <Suspense>{help && <ShortcutsDialog onClose={() => setHelp(false)} />}</Suspense>
      {!wide && <TabBar current={current} />}
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
