/** The settings of a stage under test. */
export const settings = {
  APP_URL: "https://app.svc.test",
  MAIL_FROM: "svc <no-reply@svc.test>",
  SVC_ALARM_MAIL: "on-call@svc.test",
  SVC_MONTHLY_BUDGET: "500",
};

/** The stage's secrets, as the sst CLI passes them to the program. */
export const secrets = {
  SST_SECRET_TokenKeys: `one:${Buffer.alloc(32, 7).toString("base64url")}`,
  SST_SECRET_AuditKeys: `one:${Buffer.alloc(32, 9).toString("base64url")}`,
  SST_SECRET_EncryptionKeys: `one:${Buffer.alloc(32, 8).toString("base64url")}`,
  SST_SECRET_SmtpUrl: "smtps://user:password@mail.svc.test",
  // Two secrets, as during a rotation.
  SST_SECRET_OriginSecret: [10, 9].map((byte) => Buffer.alloc(32, byte).toString("base64url")).join(),
};
