import { createClient, type Problem } from "@svc/client";
import { currentWorkspaceId } from "./cookies.ts";
import { reportProblem } from "./server-status.ts";

export { type FieldError, Problem } from "@svc/client";

/** Listeners that run when a response says that the session has ended. */
export const onSignedOut = new Set<() => void>();

/** Codes of a 401 that mean that the session has ended. A 401 for a wrong password is shown by its form instead. */
const sessionEnded: readonly string[] = ["token_missing", "token_invalid", "token_expired", "session_ended"];

/** The API on this origin, with the session cookie, for the current workspace. */
export const svc = createClient({
  workspaceId: currentWorkspaceId,
  // People see the message of a limit instead of waiting for its end.
  maxWaitMs: 5000,
  onProblem(problem) {
    reportProblem(problem);
    const { status, code } = problem;
    if (status === 401 && sessionEnded.includes(code)) for (const listener of onSignedOut) listener();
  },
});

/** Returns the message followed by the message of each field, for places that do not show the fields. */
export function problemMessage({ message, errors }: Problem): string {
  const details = errors.map(({ detail }) => detail).filter((detail) => detail !== message);
  return [message.replace(" See `errors` for the fields to fix.", ""), ...new Set(details)].join(" ");
}
