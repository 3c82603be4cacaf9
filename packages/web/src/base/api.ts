import { createClient, type Problem } from "@svc/client";
import { currentWorkspaceId } from "./cookies.ts";
import { reportProblem } from "./server-status.ts";

export { type FieldError, Problem } from "@svc/client";

/** Codes of a 401 that mean that the session has ended. A 401 for a wrong password is shown by its form instead. */
const sessionEnded: readonly string[] = ["token_missing", "token_invalid", "token_expired", "session_ended"];

/** Requests whose 401 concerns the token of a sign-in, or that need no session afterwards. */
const withoutSession = /^\/auth\/(login|passkey|logout)/;

let signInAgain = async () => false;

/** Sets the function that runs when the session has ended. It returns whether the user has signed in again. */
export function onSessionEnded(run: () => Promise<boolean>): void {
  signInAgain = run;
}

/** The API on this origin, with the session cookie, for the current workspace. */
export const svc = createClient({
  workspaceId: currentWorkspaceId,
  // People see the message of a limit instead of waiting for its end.
  maxWaitMs: 5000,
  onProblem: reportProblem,
  recover: ({ status, code }, { path }) =>
    status === 401 && sessionEnded.includes(code) && !withoutSession.test(path) && signInAgain(),
});

/** Returns the message followed by the message of each field, for places that do not show the fields. */
export function problemMessage({ message, errors }: Problem): string {
  const details = errors.map(({ detail }) => detail).filter((detail) => detail !== message);
  return [message.replace(/ See `errors` for [^.]+\./, ""), ...new Set(details)].join(" ");
}
