/**
 * Returns the token of an emailed link and removes it from the URL. The token is in the fragment, so that it appears in no
 * server log. Removing it keeps it out of the browser history.
 */
export function takeLinkToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  if (token) history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}
