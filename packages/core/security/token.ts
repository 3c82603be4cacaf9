import { errors, jwtVerify, SignJWT } from "jose";
import * as Config from "../config/config.ts";
import { Fault } from "../fault.ts";

/** RFC 8725: one algorithm, and a `typ` of its own for each kind of token, so that none passes for another. */
const algorithm = "HS256";
const type = "at+jwt";
const issuer = "svc";
const audience = "svc-api";

export type AccessToken = { userId: string; sessionId: string };

/** An access token (RFC 9068) for this session, good until the session's end at the latest. */
export function sign(
  { userId, sessionId }: AccessToken,
  issuedAt: Date,
  expiresAt: Date,
  keys: readonly Config.TokenKey[] = Config.tokenKeys(),
): Promise<string> {
  const [key] = keys;
  if (!key) throw new Error("Configuration: TOKEN_KEYS must be set.");
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: algorithm, typ: type, kid: key.id })
    .setSubject(userId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(seconds(issuedAt))
    .setExpirationTime(seconds(expiresAt))
    .sign(key.secret);
}

/** Who an access token was given to. Throws 401 `token_expired` or `token_invalid`, without saying what was wrong. */
export async function verify(
  token: string,
  now: Date,
  keys: readonly Config.TokenKey[] = Config.tokenKeys(),
): Promise<AccessToken> {
  try {
    const { payload } = await jwtVerify(
      token,
      ({ kid }) => {
        const key = keys.find((candidate) => candidate.id === kid);
        if (!key) throw new errors.JWSInvalid("unknown key id");
        return key.secret;
      },
      {
        algorithms: [algorithm],
        typ: type,
        issuer,
        audience,
        currentDate: now,
        requiredClaims: ["sub", "sid", "iat", "exp"],
      },
    );
    return { userId: String(payload.sub), sessionId: String(payload.sid) };
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new Fault("unauthenticated", "token_expired", "This token has expired. Log in again.", {
        cause: error,
      });
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw new Fault("unauthenticated", "token_invalid", "This token is not valid. Log in again.", {
        cause: error,
      });
    throw error;
  }
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
