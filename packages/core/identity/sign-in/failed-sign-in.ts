import type { RequestOrigin } from "../../base/actor.ts";
import { Fault } from "../../base/fault.ts";
import * as Event from "../../event/event.ts";
import type { Tx } from "../../platform/db/engine.ts";
import * as Location from "../../platform/location/location.ts";
import * as LockOut from "../password/lock-out.ts";
import * as LoginHistory from "./login-history.ts";

/** The account whose sign-in is attempted. Undefined if no account has the email. */
type Account = { id: string; name: string } | undefined;

/**
 * Records a failed sign-in in the login history of the account and in the audit logs of the person's workspaces. Does the same
 * work without an account, so that the response time does not reveal whether it exists.
 */
export async function record(
  account: Account,
  origin: RequestOrigin,
  method: LoginHistory.Method,
  now: Date,
): Promise<void> {
  const location = await Location.locate(origin);
  const failure = { action: "user.login_failed", details: methodOf(method) } as const;
  await recordFailure(account, { ...origin, viewer: location }, failure, now, (tx) =>
    LoginHistory.recordFailure(tx, account?.id ?? "", origin, location, method, now),
  );
}

/**
 * Runs `LockOut.attempt`. Records in the same audit logs that an attempt was refused, and throws its
 * `account_temporarily_locked`. Also writes without an account, for the same reason.
 */
export async function attempt(
  subject: string,
  check: () => Promise<LockOut.Outcome>,
  account: Account,
  origin: RequestOrigin,
  now: Date,
): Promise<LockOut.Outcome> {
  try {
    return await LockOut.attempt(subject, check, now);
  } catch (error) {
    if (error instanceof Fault && error.kind === "busy")
      await recordRefusal(account, origin, error.code, now, (tx) => LockOut.rewrite(tx, subject));
    throw error;
  }
}

/** Records in the same audit logs that a sign-in was refused, with the code of the error as reason. */
export async function recordRefusal(
  account: Account,
  origin: RequestOrigin,
  reason: string,
  now: Date,
  also?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const viewer = await Location.locate(origin);
  const failure = { action: "user.login_refused", details: { reason } } as const;
  await recordFailure(account, { ...origin, viewer }, failure, now, also);
}

/** Returns the method as a detail of an event. An emergency bypass concerns only the workspaces that it bypasses. */
export function methodOf(method: LoginHistory.Method): { method?: LoginHistory.Method } {
  return method === "emergency_bypass" ? {} : { method };
}

async function recordFailure(
  account: Account,
  origin: RequestOrigin,
  failure: Pick<Event.Failure, "action" | "details">,
  now: Date,
  also?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { id, name } = account ?? { id: "", name: "" };
  const target = { type: "user", id, name } as const;
  await Event.recordFailure({ ...origin, userId: id }, { ...failure, target }, now, also);
}
