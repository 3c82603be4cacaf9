import { Link, useSearch } from "wouter";
import { needsSecondFactor, useCurrentUser } from "../../base/current-user.ts";
import { nextPage } from "./session.ts";
import "./two-factor.css";

/**
 * Says that the workspace requires a second factor. Once the user has one, leads back to the page that sent them here with
 * `?next=`.
 */
export function SecondFactorNotice() {
  const current = useCurrentUser();
  const next = new URLSearchParams(useSearch()).get("next");
  const { name } = current.workspace;
  const isRequired = needsSecondFactor(current);
  if (!isRequired && (next === null || !current.me.twoFactorEnabled)) return null;
  return (
    <p role="status" className="notice second-factor-notice">
      {isRequired ? (
        `${name} requires two-factor authentication. Set up an authenticator app, a passkey or a security key to continue.`
      ) : (
        <>
          Two-factor authentication is on. <Link href={nextPage(next)}>Continue to {name}</Link>
        </>
      )}
    </p>
  );
}
