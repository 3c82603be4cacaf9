import type { Location } from "./location.ts";

/** Where a call came from, for the event row and for the list of sessions. `viewer` only when our own router said it. */
export type RequestOrigin = { ip: string; userAgent: string; requestId: string; viewer?: Location };

/** What a program may do that calls with an API token: in one workspace, as far as the scopes reach. */
export type Grant = { workspaceId: string; scopes: readonly string[] };

/** Who calls, through which session, from where. The first argument of every function that acts for a person. */
export type Actor = RequestOrigin & {
  userId: string;
  sessionId: string;
  /** Until then this session passes address lists, for an administrator. */
  bypassUntil?: Date;
  /** Present when a program calls: then `sessionId` is the token's id. */
  grant?: Grant;
};
