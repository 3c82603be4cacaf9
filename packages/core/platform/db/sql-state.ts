/** Returns the SQLSTATE of an error that the server reported, and undefined for errors of the connection. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && "severity" in error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
