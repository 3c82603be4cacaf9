/** A nullable column of encrypted text. `context` returns the context that a row's value was encrypted with. */
export type SealedColumn = { table: string; id: string; column: string; context: (id: string) => string };

/** The encryption context of the secret of an authenticator app. */
export const totpContext = (userId: string) => `totp.${userId}`;

/** The encryption contexts of a webhook's secrets and headers. A value cannot be decrypted in another row or column. */
export const webhookSecretContext = (id: string) => `webhook_endpoints.secret:${id}`;
export const webhookHeadersContext = (id: string) => `webhook_endpoints.headers:${id}`;

/** All encrypted columns. A test searches the database for others. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "totp_factors", id: "user_id", column: "secret_sealed", context: totpContext },
  { table: "webhook_endpoints", id: "id", column: "secret", context: webhookSecretContext },
  { table: "webhook_endpoints", id: "id", column: "previous_secret", context: webhookSecretContext },
  { table: "webhook_endpoints", id: "id", column: "headers", context: webhookHeadersContext },
];
