/** The settings of a stage under test. */
export const settings = { APP_URL: "https://app.svc.test", MAIL_FROM: "svc <no-reply@svc.test>" };

/** The stage's secrets, as the sst CLI passes them to the program. */
export const secrets = {
  SST_SECRET_TokenKeys: `one:${Buffer.alloc(32, 7).toString("base64url")}`,
  SST_SECRET_EncryptionKeys: `one:${Buffer.alloc(32, 8).toString("base64url")}`,
  SST_SECRET_SmtpUrl: "smtps://user:password@mail.svc.test",
  SST_SECRET_OriginSecret: Buffer.alloc(32, 9).toString("base64url"),
};
