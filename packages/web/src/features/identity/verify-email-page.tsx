import type { LoggedIn } from "@svc/core/identity/sign-in/login";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { post } from "../../base/api.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Page } from "../../ui/page.tsx";
import { ErrorState, Loading } from "../../ui/states.tsx";
import { storeDeviceToken } from "./device-token.ts";
import { completeSignIn } from "./session.ts";

/** Creates the account from the emailed link and signs the user in. */
export default function VerifyEmail() {
  const [token] = useState(takeLinkToken);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (!token) return;
    // The link works only once, but this effect may run twice.
    verification ??= post<LoggedIn>("/auth/email/verify", { token });
    verification.then(
      ({ deviceToken, user }) => {
        storeDeviceToken(deviceToken);
        completeSignIn(user);
      },
      (error) => {
        verification = undefined;
        setFailure(error);
      },
    );
  }, [token]);
  return (
    <Page title="Confirm your email">
      {!token && <p>This link is incomplete. Open the link in the email again.</p>}
      {token && !failure && <Loading label="Creating your account…" />}
      {failure !== undefined && <ErrorState error={failure} />}
      {(!token || failure !== undefined) && (
        <p>
          <Link href="/register">Sign up</Link> or <Link href="/login">sign in</Link>
        </p>
      )}
    </Page>
  );
}

let verification: Promise<LoggedIn> | undefined;
