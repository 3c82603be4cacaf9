import { Link, useSearch } from "wouter";
import { needsSecondFactor, useCurrentUser } from "../../base/current-user.ts";
import { nextPage } from "./session.ts";
import "./two-factor.css";
import { RichText } from "../../ui/rich-text.tsx";
import { securityMessages } from "./settings-messages.ts";

const messages = securityMessages.required;

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
        messages.notice(name)
      ) : (
        <RichText
          text={messages.done(name)}
          marks={{ link: (text) => <Link href={nextPage(next)}>{text}</Link> }}
        />
      )}
    </p>
  );
}
