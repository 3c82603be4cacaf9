/** A column that holds sealed text or nothing, and the context that each of its values was sealed in, by the row's id. */
export type SealedColumn = { table: string; id: string; column: string; context: (id: string) => string };

/** What an authenticator app's secret is sealed as. */
export const totpContext = (userId: string) => `totp.${userId}`;

/** What a webhook's secrets and headers are sealed as: they open in no other row or column. */
export const webhookSecretContext = (id: string) => `webhook_endpoints.secret:${id}`;
export const webhookHeadersContext = (id: string) => `webhook_endpoints.headers:${id}`;

/** Every sealed column there is: a test looks for others in the database. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "totp_factors", id: "user_id", column: "secret_sealed", context: totpContext },
  { table: "webhook_endpoints", id: "id", column: "secret", context: webhookSecretContext },
  { table: "webhook_endpoints", id: "id", column: "previous_secret", context: webhookSecretContext },
  { table: "webhook_endpoints", id: "id", column: "headers", context: webhookHeadersContext },
];
