/** Called after a factor was changed, with a message and with the backup codes if new ones were created. */
export type FactorsChanged = (message: string, backupCodes?: readonly string[]) => Promise<void>;
