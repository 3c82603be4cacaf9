import { generateKeyPairSync, randomBytes } from "node:crypto";

/** A public key in COSE format, and its algorithm. */
type CoseKey = { algorithm: number; publicKey: Uint8Array<ArrayBuffer> };

let keys: Promise<[CoseKey, ...CoseKey[]]> | undefined;

/**
 * Returns one public key of each accepted algorithm that belongs to no credential. Verifying with them takes as long as with
 * the key of a credential, so that the time of a response does not reveal whether a credential exists.
 */
export function decoyKeys(): Promise<[CoseKey, ...CoseKey[]]> {
  keys ??= generate();
  return keys;
}

async function generate(): Promise<[CoseKey, ...CoseKey[]]> {
  const { isoCBOR } = await import("@simplewebauthn/server/helpers");
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
  const ed = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  // An odd number of the right size suffices, because generating an RSA key would take 100 ms.
  const modulus = new Uint8Array(randomBytes(256)).map((byte, at) => (at % 255 === 0 ? byte | 0x81 : byte));
  // Entries of COSE keys: key type, algorithm, and the parameters of the type (RFC 9053, section 7; RFC 8230, section 4).
  const keyOf = (algorithm: number, entries: [number, number | Uint8Array][]): CoseKey => ({
    algorithm,
    publicKey: new Uint8Array(isoCBOR.encode(new Map([...entries, [3, algorithm]]))),
  });
  return [
    keyOf(-7, [
      [1, 2],
      [-1, 1],
      [-2, bytes(ec.x)],
      [-3, bytes(ec.y)],
    ]),
    keyOf(-8, [
      [1, 1],
      [-1, 6],
      [-2, bytes(ed.x)],
    ]),
    keyOf(-257, [
      [1, 3],
      [-1, modulus],
      [-2, Uint8Array.of(1, 0, 1)],
    ]),
  ];
}

function bytes(base64url: string | undefined): Uint8Array {
  return new Uint8Array(Buffer.from(base64url ?? "", "base64url"));
}
