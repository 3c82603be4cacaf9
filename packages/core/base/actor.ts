import type { Location } from "./location.ts";

/** The origin of a request, as events and sessions record it. `viewer` is set only when our router sent it. */
export type RequestOrigin = { ip: string; userAgent: string; requestId: string; viewer?: Location };

/** The rights of an API token: its scopes, in one workspace. */
export type Grant = { workspaceId: string; scopes: readonly string[] };

/** A signed-in caller and the origin of the call. The first argument of every function that acts for a user. */
export type Actor = RequestOrigin & {
  userId: string;
  sessionId: string;
  /** The end of an admin's emergency bypass of IP allowlists. */
  bypassUntil?: Date;
  /** Set when the call is made with an API token. `sessionId` is then the token's id. */
  grant?: Grant;
};
