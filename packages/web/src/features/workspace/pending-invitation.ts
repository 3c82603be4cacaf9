/** The invitation token while the visitor signs in. Stored in memory only, because it grants access to a team. */
let pendingToken = "";

/** Stores the token until the page is reloaded. */
export function storeInvitationToken(token: string): void {
  pendingToken = token;
}

/** Returns the stored token, or an empty string. */
export function storedInvitationToken(): string {
  return pendingToken;
}
