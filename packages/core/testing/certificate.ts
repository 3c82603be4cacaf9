import { generateKeyPairSync, sign } from "node:crypto";

/** Creates a self-signed certificate for a host name, valid from 2020 to 2049, and its key, as PEM. */
export function certificate(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(der(0x06, hex("2a8648ce3d040302")));
  const subject = sequence(der(0x31, sequence(der(0x06, hex("550403")), der(0x0c, Buffer.from(name)))));
  const subjectAltName = sequence(
    der(0x06, hex("551d11")),
    der(0x04, sequence(der(0x82, Buffer.from(name)))),
  );
  // RFC 5280, section 4.1: version 3, serial number, algorithm, issuer, validity, subject, key, extensions.
  const toBeSigned = sequence(
    der(0xa0, der(0x02, hex("02"))),
    der(0x02, hex("01")),
    ecdsaWithSha256,
    subject,
    sequence(der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z"))),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(subjectAltName)),
  );
  const signature = Buffer.concat([hex("00"), sign("sha256", toBeSigned, privateKey)]);
  const whole = sequence(toBeSigned, ecdsaWithSha256, der(0x03, signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64")}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function hex(text: string): Buffer {
  return Buffer.from(text, "hex");
}
