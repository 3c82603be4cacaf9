import { hash } from "node:crypto";
import * as Clock from "../../base/clock.ts";
import * as Config from "../config/config.ts";
import { type Credentials, querySigner, signingKey } from "../storage/sigv4.ts";

/** 15 minutes, as in AWS's own clients. The token is only checked when a connection opens. */
const expiresSeconds = 900;

/** Returns the credentials of the function's role, which Lambda puts into the environment. */
function fromEnvironment(env = Config.environment()): Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new Error(
      "Configuration: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set for Aurora DSQL.",
    );
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/**
 * Returns the password for a connection to Aurora DSQL: a presigned URL for the action DbConnect (DbConnectAdmin for the
 * migrator) without its scheme. Equal to the output of `@aws-sdk/dsql-signer`, but without that dependency.
 */
export function dsqlToken(
  database: { endpoint: string; admin: boolean },
  credentials: Credentials = fromEnvironment(),
  at: Date = Clock.now(),
): string {
  const { endpoint, admin } = database;
  // <cluster>.dsql.<region>.on.aws
  const region = endpoint.split(".")[2];
  if (!region)
    throw new Error("Configuration: DSQL_ENDPOINT must be the host name of an Aurora DSQL cluster.");
  const sign = querySigner(signingKey(credentials, region, "dsql"), {
    method: "GET",
    host: endpoint,
    parameters: { Action: admin ? "DbConnectAdmin" : "DbConnect" },
    at,
    expiresSeconds,
    payloadHash: hash("sha256", "", "hex"),
  });
  return endpoint + sign("/");
}
