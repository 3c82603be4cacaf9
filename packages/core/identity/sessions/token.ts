import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { Fault } from "../../base/fault.ts";
import * as Config from "../../platform/config/config.ts";

/** RFC 8725: one algorithm, and a `typ` and an audience of its own for each kind of token, so that none passes for another. */
const algorithm = "HS256";
const issuer = "svc";
const access = { typ: "at+jwt", audience: "svc-api", claims: ["sub", "sid", "iat", "exp"] };
const mfa = { typ: "mfa+jwt", audience: "svc-mfa", claims: ["sub", "jti", "pwd", "iat", "exp"] };

type Kind = typeof access;
type Keys = readonly Config.TokenKey[];

export type AccessToken = { userId: string; sessionId: string };

/** What is known between the password and the second factor. It opens nothing but the way to that factor. */
export type MfaToken = {
  id: string;
  userId: string;
  /** Fingerprint of the password hash that was matched: with another password this token is void. */
  passwordMark: string;
  deviceName?: string | undefined;
  deviceToken?: string | undefined;
};

/** An access token (RFC 9068) for this session, good until the session's end at the latest. */
export function sign(
  { userId, sessionId }: AccessToken,
  issuedAt: Date,
  expiresAt: Date,
  keys: Keys = Config.tokenKeys(),
): Promise<string> {
  return signed(access, { sub: userId, sid: sessionId }, issuedAt, expiresAt, keys);
}

/** Who an access token was given to. Throws 401 `token_expired` or `token_invalid`, without saying what was wrong. */
export async function verify(
  token: string,
  now: Date,
  keys: Keys = Config.tokenKeys(),
): Promise<AccessToken> {
  const { sub, sid } = await verified(access, token, now, keys);
  return { userId: String(sub), sessionId: String(sid) };
}

/** A token for the second step of a login. */
export function signMfa(
  { id, userId, passwordMark, deviceName, deviceToken }: MfaToken,
  issuedAt: Date,
  expiresAt: Date,
  keys: Keys = Config.tokenKeys(),
): Promise<string> {
  const device = { ...(deviceName && { dvn: deviceName }), ...(deviceToken && { dvt: deviceToken }) };
  return signed(mfa, { sub: userId, jti: id, pwd: passwordMark, ...device }, issuedAt, expiresAt, keys);
}

/** Which login this token is the second step of. Throws 401 `token_expired` or `token_invalid`. */
export async function verifyMfa(
  token: string,
  now: Date,
  keys: Keys = Config.tokenKeys(),
): Promise<MfaToken> {
  const { sub, jti, pwd, dvn, dvt } = await verified(mfa, token, now, keys);
  return {
    id: String(jti),
    userId: String(sub),
    passwordMark: String(pwd),
    deviceName: dvn === undefined ? undefined : String(dvn),
    deviceToken: dvt === undefined ? undefined : String(dvt),
  };
}

function signed(kind: Kind, claims: JWTPayload, issuedAt: Date, expiresAt: Date, keys: Keys) {
  const [key] = keys;
  if (!key) throw new Error("Configuration: TOKEN_KEYS must be set.");
  return new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, typ: kind.typ, kid: key.id })
    .setIssuer(issuer)
    .setAudience(kind.audience)
    .setIssuedAt(seconds(issuedAt))
    .setExpirationTime(seconds(expiresAt))
    .sign(key.secret);
}

async function verified(kind: Kind, token: string, now: Date, keys: Keys): Promise<JWTPayload> {
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
        typ: kind.typ,
        issuer,
        audience: kind.audience,
        currentDate: now,
        requiredClaims: kind.claims,
      },
    );
    return payload;
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
