import { settings } from "./stage.ts";

/** Set each secret once per stage: `npx sst secret set TokenKeys … --stage …`. A deploy fails if one has no value. */
export const tokenKeys = new sst.Secret("TokenKeys");
export const encryptionKeys = new sst.Secret("EncryptionKeys");
export const smtpUrl = new sst.Secret("SmtpUrl");

/** The router sends this secret to the API, which trusts the router's headers only with it. At least 32 characters. */
export const originSecret = new sst.Secret("OriginSecret");

/** Set only when the stage uses an external PostgreSQL database. */
export const databaseUrl = settings().database === "url" ? new sst.Secret("DatabaseUrl") : undefined;
