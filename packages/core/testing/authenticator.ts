import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** The inputs of a WebAuthn ceremony. Tests change them to produce invalid responses. */
export type Ceremony = {
  challenge: string;
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  userPresent?: boolean;
  counter?: number;
  /** `type` of the client data. */
  type?: string;
  /** The user handle to store with a resident key, or to return instead of the stored one, base64url. */
  userHandle?: string | undefined;
  /** Whether the browser reports that the authenticator stored the key. */
  storedKey?: boolean;
};

/** Flags of the authenticator data (WebAuthn Level 3, section 6.1). */
const present = 0x01;
const verified = 0x04;
const attested = 0x40;

/**
 * Creates a software authenticator with an ES256 key and full control over every signed byte. A resident key stores the user
 * handle at registration and returns it with each assertion, like a passkey.
 */
export function authenticator({ residentKey = false } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let signatures = 0;
  let storedHandle: string | undefined;

  function clientData(
    { challenge, origin = process.env.APP_URL ?? "", type }: Ceremony,
    defaultType: string,
  ) {
    return Buffer.from(JSON.stringify({ type: type ?? defaultType, challenge, origin, crossOrigin: false }));
  }

  function authenticatorData(ceremony: Ceremony, more: Uint8Array = Buffer.alloc(0)) {
    const { rpId = "localhost", userVerified = true, userPresent = true } = ceremony;
    const flags =
      (userPresent ? present : 0) | (userVerified ? verified : 0) | (more.length > 0 ? attested : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(ceremony.counter ?? ++signatures);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, more]);
  }

  const encoded = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };

  return {
    /** Returns the JSON result of `navigator.credentials.create` with attestation `none`. */
    register(ceremony: Ceremony) {
      if (residentKey) storedHandle = ceremony.userHandle;
      const jwk = publicKey.export({ format: "jwk" });
      // COSE_Key (RFC 9053, section 7.1.1): kty EC2, alg ES256, crv P-256, x, y.
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(jwk.x)],
        [-3, bytes(jwk.y)],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)]);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authenticatorData(ceremony, credential))],
      ]);
      const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString("base64url");
      const clientDataJSON = clientData(ceremony, "webauthn.create").toString("base64url");
      const response = { clientDataJSON, attestationObject, transports: ["internal"] };
      const { storedKey: rk = residentKey } = ceremony;
      return { ...encoded, response, clientExtensionResults: { credProps: { rk } } };
    },

    /** Returns the JSON result of `navigator.credentials.get`. */
    assert(ceremony: Ceremony) {
      const data = authenticatorData(ceremony);
      const client = clientData(ceremony, "webauthn.get");
      const { userHandle = storedHandle } = ceremony;
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
        ...(userHandle !== undefined && { userHandle }),
      };
      return { ...encoded, response, clientExtensionResults: {} };
    },
  };
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

function bytes(base64url: string | undefined): Uint8Array {
  return new Uint8Array(Buffer.from(base64url ?? "", "base64url"));
}
