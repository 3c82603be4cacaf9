import type { Me } from "@svc/core/identity/profile/profile";
import type { Accepted } from "@svc/core/workspace/invitations/invitation";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { navigate } from "wouter/use-browser-location";
import { get, Problem, post } from "../../base/api.ts";
import { setCookie, setCurrentWorkspace } from "../../base/cookies.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { queryClient } from "../../base/query-client.ts";
import { Page } from "../../ui/page.tsx";
import { ErrorState, Loading } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { storedInvitationToken, storeInvitationToken } from "./pending-invitation.ts";

/** Where an invitation's mail leads: who is signed in joins at once; anybody else signs in or up first, and comes back. */
export default function AcceptInvitation() {
  const [token] = useState(() => takeLinkToken() || storedInvitationToken());
  const [visitor, setVisitor] = useState<"unknown" | "signed-out">("unknown");
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (!token) return;
    // The link works once, and this page may be drawn twice.
    joining ??= join(token);
    joining.then(
      (joined) => {
        if (!joined) {
          joining = undefined;
          storeInvitationToken(token);
          setVisitor("signed-out");
          return;
        }
        toast(`Welcome to ${joined}.`);
        navigate("/members", { replace: true });
      },
      (error) => {
        joining = undefined;
        setFailure(error);
      },
    );
  }, [token]);
  return (
    <Page title="Join a team">
      {!token && <p>This address is not complete. Open the link in the mail once more.</p>}
      {token && visitor === "signed-out" && <SignInFirst />}
      {token && visitor === "unknown" && !failure && <Loading label="Joining…" />}
      {failure !== undefined && <ErrorState error={failure} />}
      {failure instanceof Problem && failure.code === "invitation_for_another" && (
        <p>Sign out first if you are signed in with another address here.</p>
      )}
      {(!token || failure !== undefined) && (
        <p>
          <a href="/">Go to the start</a>
        </p>
      )}
    </Page>
  );
}

function SignInFirst() {
  return (
    <>
      <p>Sign in with the address that the invitation was sent to, and you are in.</p>
      <p>
        <Link href="/login?next=/accept-invitation">Sign in</Link>
      </p>
      <p>
        No account yet? <Link href="/register">Sign up</Link> with that address, then open the link in the
        invitation once more.
      </p>
    </>
  );
}

let joining: Promise<string | undefined> | undefined;

/** The name of the workspace that was joined; undefined when nobody is signed in. */
async function join(token: string): Promise<string | undefined> {
  // A 401 that is no surprise would stand in the console as an error.
  const { signedIn } = await get<{ signedIn: boolean }>("/auth/session");
  if (!signedIn) return undefined;
  const { workspaceId, teamId } = await post<Accepted>("/auth/invitations/accept", { token });
  const me = await get<Me>("/auth/me");
  const workspace = me.workspaces.find(({ id }) => id === workspaceId);
  if (workspace) setCurrentWorkspace(workspace);
  setCookie("svc_current_unit", teamId);
  queryClient.clear();
  return workspace?.name ?? "the team";
}
