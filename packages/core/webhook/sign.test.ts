import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { expect, test } from "vitest";
import { newSecret, signature } from "./sign.ts";

test("signature matches the test vector of Standard Webhooks", () => {
  const signed = signature(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  });
  expect(signed).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test("newSecret returns 256 random bits in the format of Standard Webhooks", () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(newSecret()).not.toBe(secret);
});

test("standardwebhooks and svix verify any signed body and reject a changed body, id or timestamp", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.uuid(), (body, id) => {
      const secret = newSecret();
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": signature([secret], { id, timestamp, body }),
      };
      for (const receiver of [new Webhook(secret), new Svix(secret)]) {
        const verify = (altered: object, text = body) =>
          receiver.verify(text, { ...headers, ...altered }, { jsonParse: false });
        expect(() => verify({})).not.toThrow();
        expect(() => verify({}, `${body} `)).toThrow();
        expect(() => verify({ "webhook-id": `${id}x` })).toThrow();
        expect(() => verify({ "webhook-timestamp": String(timestamp - 1) })).toThrow();
      }
      expect(() => new Webhook(newSecret()).verify(body, headers, { jsonParse: false })).toThrow();
    }),
    { numRuns: 50 },
  );
});

test("signature signs with both secrets, and a receiver with either one verifies it", () => {
  const [fresh, old, other] = [newSecret(), newSecret(), newSecret()];
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = signature([fresh, old], { id: "evt_1", timestamp, body: "{}" });
  expect(signed.split(" ")).toHaveLength(2);
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signed,
  };
  for (const secret of [fresh, old]) expect(new Webhook(secret).verify("{}", headers)).toEqual({});
  expect(() => new Webhook(other).verify("{}", headers)).toThrow();
});
