import { settings } from "./stage.ts";

/** Set each secret once per stage: `npx sst secret set TokenKeys … --stage …`. A deploy fails if one has no value. */
export const tokenKeys = new sst.Secret("TokenKeys");
export const encryptionKeys = new sst.Secret("EncryptionKeys");
export const auditKeys = new sst.Secret("AuditKeys");
export const smtpUrl = new sst.Secret("SmtpUrl");

/**
 * The router sends these secrets to the API, which trusts the router's headers only with one of them. A comma-separated list
 * with the newest first, at least 32 characters each.
 */
export const originSecret = new sst.Secret("OriginSecret");

/** Set only when the stage uses an external PostgreSQL database. */
export const databaseUrl =
  settings($app.stage).database === "url" ? new sst.Secret("DatabaseUrl") : undefined;
