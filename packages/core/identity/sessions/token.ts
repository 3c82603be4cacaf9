import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { Fault } from "../../base/fault.ts";
import * as Config from "../../platform/config/config.ts";

/** One algorithm, and a separate `typ` and audience for each kind of token, so that kinds cannot be confused (RFC 8725). */
const algorithm = "HS256";
const issuer = "svc";
const access = { typ: "at+jwt", audience: "svc-api", claims: ["sub", "sid", "iat", "exp"] };
const mfa = { typ: "mfa+jwt", audience: "svc-mfa", claims: ["sub", "jti", "pwd", "iat", "exp"] };
const challenge = { typ: "challenge+jwt", audience: "svc-challenge", claims: ["jti", "iat", "exp"] };

type Kind = typeof access;
type Keys = readonly Config.TokenKey[];

export type AccessToken = { userId: string; sessionId: string };

/** A sign-in between the password and the second factor. Grants access to the second step only. */
export type MfaToken = {
  id: string;
  userId: string;
  /** Fingerprint of the verified password hash. A changed password invalidates the token. */
  passwordFingerprint: string;
  deviceName?: string | undefined;
  deviceToken?: string | undefined;
};

/** Signs an access token (RFC 9068) for a session. */
export function sign(
  { userId, sessionId }: AccessToken,
  issuedAt: Date,
  expiresAt: Date,
  keys: Keys = Config.tokenKeys(),
): Promise<string> {
  return signClaims(access, { sub: userId, sid: sessionId }, issuedAt, expiresAt, keys);
}

/** Verifies an access token. Throws `unauthenticated` `token_expired` or `token_invalid`; messages do not reveal the reason. */
export async function verify(
  token: string,
  now: Date,
  keys: Keys = Config.tokenKeys(),
): Promise<AccessToken> {
  const { sub, sid } = await verifyClaims(access, token, now, keys);
  return { userId: String(sub), sessionId: String(sid) };
}

/** Signs a token for the second step of a sign-in. */
export function signMfa(
  { id, userId, passwordFingerprint, deviceName, deviceToken }: MfaToken,
  issuedAt: Date,
  expiresAt: Date,
  keys: Keys = Config.tokenKeys(),
): Promise<string> {
  const device = { ...(deviceName && { dvn: deviceName }), ...(deviceToken && { dvt: deviceToken }) };
  return signClaims(
    mfa,
    { sub: userId, jti: id, pwd: passwordFingerprint, ...device },
    issuedAt,
    expiresAt,
    keys,
  );
}

/** Verifies a token for the second step of a sign-in. Throws `unauthenticated` `token_expired` or `token_invalid`. */
export async function verifyMfa(
  token: string,
  now: Date,
  keys: Keys = Config.tokenKeys(),
): Promise<MfaToken> {
  const { sub, jti, pwd, dvn, dvt } = await verifyClaims(mfa, token, now, keys);
  return {
    id: String(jti),
    userId: String(sub),
    passwordFingerprint: String(pwd),
    deviceName: dvn === undefined ? undefined : String(dvn),
    deviceToken: dvt === undefined ? undefined : String(dvt),
  };
}

/** Signs the challenge of a sign-in with a passkey, whose user is not known yet. */
export function signChallenge(
  value: string,
  issuedAt: Date,
  expiresAt: Date,
  keys: Keys = Config.tokenKeys(),
): Promise<string> {
  return signClaims(challenge, { jti: value }, issuedAt, expiresAt, keys);
}

/** Verifies the token of a challenge and returns the challenge. Throws `unauthenticated` `token_expired` or `token_invalid`. */
export async function verifyChallenge(
  token: string,
  now: Date,
  keys: Keys = Config.tokenKeys(),
): Promise<string> {
  return String((await verifyClaims(challenge, token, now, keys)).jti);
}

function signClaims(kind: Kind, claims: JWTPayload, issuedAt: Date, expiresAt: Date, keys: Keys) {
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

async function verifyClaims(kind: Kind, token: string, now: Date, keys: Keys): Promise<JWTPayload> {
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
      throw new Fault("unauthenticated", "token_expired", "Token has expired. Sign in again.", {
        cause: error,
      });
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw new Fault("unauthenticated", "token_invalid", "Token is invalid. Sign in again.", {
        cause: error,
      });
    throw error;
  }
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
