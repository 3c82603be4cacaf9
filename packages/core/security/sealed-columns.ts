/** A column that holds sealed text or nothing, and the context that each of its values was sealed in, by the row's id. */
export type SealedColumn = { table: string; id: string; column: string; context: (id: string) => string };

/** What an authenticator app's secret is sealed as. */
export const totpContext = (userId: string) => `totp.${userId}`;

/** Every sealed column there is: a test looks for others in the database. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "totp_factors", id: "user_id", column: "secret_sealed", context: totpContext },
];
