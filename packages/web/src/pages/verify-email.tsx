import type { LoggedIn } from "@svc/core/account/login";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { post } from "../api.ts";
import { keepDeviceToken } from "../device.ts";
import { takeLinkToken } from "../link-token.ts";
import { signedIn } from "../session.ts";
import { Page } from "../ui/page.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";

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
        keepDeviceToken(deviceToken);
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
