/** The token of an invitation while its reader signs in: in this page's memory alone, since it lets into a team. */
let kept = "";

/** Remember it until the page is loaded anew. */
export function storeInvitationToken(token: string): void {
  kept = token;
}

/** The token that was remembered; empty when there is none. */
export function storedInvitationToken(): string {
  return kept;
}
