import type { LoggedIn } from "@svc/core/identity/sign-in/login";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { post } from "../../base/api.ts";
import { takeLinkToken } from "../../base/link-token.ts";
import { Page } from "../../ui/page.tsx";
import { ErrorState, Loading } from "../../ui/states.tsx";
import { storeDeviceToken } from "./device-token.ts";
import { signedIn } from "./session.ts";

/** Where the mailed link leads: the account is opened, and its owner signed in. */
export default function VerifyEmail() {
  const [token] = useState(takeLinkToken);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (!token) return;
    // The link works once, and this page may be drawn twice.
    opening ??= post<LoggedIn>("/auth/email/verify", { token });
    opening.then(
      ({ deviceToken, user }) => {
        storeDeviceToken(deviceToken);
        signedIn(user);
      },
      (error) => {
        opening = undefined;
        setFailure(error);
      },
    );
  }, [token]);
  return (
    <Page title="Confirm your address">
      {!token && <p>This address is not complete. Open the link in the mail once more.</p>}
      {token && !failure && <Loading label="Opening your account…" />}
      {failure !== undefined && <ErrorState error={failure} />}
      {(!token || failure !== undefined) && (
        <p>
          <Link href="/register">Sign up</Link> or <Link href="/login">sign in</Link>
        </p>
      )}
    </Page>
  );
}

let opening: Promise<LoggedIn> | undefined;
