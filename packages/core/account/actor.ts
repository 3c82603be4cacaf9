/** Where a call came from, for the event row and for the list of sessions. */
export type Origin = { ip: string; userAgent: string; requestId: string };

/** Who calls, through which session, from where. The first argument of every function that acts for a person. */
export type Actor = Origin & { userId: string; sessionId: string };
