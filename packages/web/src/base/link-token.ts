/**
 * The token of a mailed link. It stands in the fragment, so that it reaches no server's log; taken out of the address at once,
 * so that it stays in no history.
 */
export function takeLinkToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (token) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}
