import { useEffect, useState } from "react";
import { Link } from "wouter";
import { navigate } from "wouter/use-browser-location";
import { Problem, svc } from "../../base/api.ts";
import { setCookie, setCurrentWorkspace } from "../../base/cookies.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { queryClient } from "../../base/query-client.ts";
import { Page } from "../../ui/page.tsx";
import { RichText } from "../../ui/rich-text.tsx";
import { ErrorState, Loading } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { messages } from "./messages.ts";
import { storedInvitationToken, storeInvitationToken } from "./pending-invitation.ts";

/** Accepts an invitation from its emailed link. Visitors who are not signed in are asked to sign in or sign up first. */
export default function AcceptInvitation() {
  const [token] = useState(() => takeLinkToken() || storedInvitationToken());
  const [visitor, setVisitor] = useState<"unknown" | "signed-out">("unknown");
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (!token) return;
    // The link works only once, but this effect may run twice.
    joining ??= join(token);
    joining.then(
      (joined) => {
        if (!joined) {
          joining = undefined;
          storeInvitationToken(token);
          setVisitor("signed-out");
          return;
        }
        toast(joined);
        navigate("/members", { replace: true });
      },
      (error) => {
        joining = undefined;
        setFailure(error);
      },
    );
  }, [token]);
  return (
    <Page title={messages.accept.title}>
      {!token && <p>{messages.accept.incomplete}</p>}
      {token && visitor === "signed-out" && <SignInFirst />}
      {token && visitor === "unknown" && !failure && <Loading label={messages.accept.joining} />}
      {failure !== undefined && <ErrorState error={failure} />}
      {failure instanceof Problem && failure.code === "invitation_for_another" && (
        <p>{messages.accept.forAnother}</p>
      )}
      {(!token || failure !== undefined) && (
        <p>
          <a href="/">{messages.accept.home}</a>
        </p>
      )}
    </Page>
  );
}

function SignInFirst() {
  return (
    <>
      <p>{messages.accept.lead}</p>
      <p>
        <Link href="/login?next=/accept-invitation">{messages.accept.signIn}</Link>
      </p>
      <p>
        <RichText
          text={messages.accept.signUp}
          marks={{ link: (text) => <Link href="/register">{text}</Link> }}
        />
      </p>
    </>
  );
}

let joining: Promise<string | undefined> | undefined;

/** Accepts the invitation and returns a sentence that welcomes the user; undefined when the visitor is not signed in. */
async function join(token: string): Promise<string | undefined> {
  // Check the session first, because an expected 401 would appear in the console as an error.
  const { signedIn } = await svc.get("/auth/session");
  if (!signedIn) return undefined;
  const { workspaceId, teamId } = await svc.post("/auth/invitations/accept", { body: { token } });
  const me = await svc.get("/auth/me");
  const workspace = me.workspaces.find(({ id }) => id === workspaceId);
  if (workspace) setCurrentWorkspace(workspace);
  setCookie("svc_current_unit", teamId);
  queryClient.clear();
  return workspace ? messages.accept.joined(workspace.name) : messages.accept.joinedTeam;
}
