import { settings } from "./stage.ts";

/** Set each once per stage: `npx sst secret set TokenKeys … --stage …`. Without a value there is no deploy. */
export const tokenKeys = new sst.Secret("TokenKeys");
export const encryptionKeys = new sst.Secret("EncryptionKeys");
export const smtpUrl = new sst.Secret("SmtpUrl");

/** What the router sends to the API, so that it is believed what it says of the viewer: at least 32 characters. */
export const originSecret = new sst.Secret("OriginSecret");

/** Only where the database is one that we did not make. */
export const databaseUrl = settings().database === "url" ? new sst.Secret("DatabaseUrl") : undefined;
