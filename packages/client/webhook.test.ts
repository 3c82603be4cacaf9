import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyWebhook, WebhookError, type WebhookRequest } from "./webhook.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const now = new Date(1614265330_000);
// The example of the specification.
const example: WebhookRequest = {
  secret,
  headers: {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
  body: '{"test": 2432232314}',
  now,
};

/** The code of the error that a request is rejected with. */
async function rejection(request: WebhookRequest): Promise<string> {
  const error = await verifyWebhook(request).then(
    () => new Error("It was accepted."),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(WebhookError);
  return (error as WebhookError).code;
}

describe("verifyWebhook", () => {
  it("returns the event of the example in the specification", async () => {
    expect(await verifyWebhook(example)).toEqual({ test: 2432232314 });
  });

  it("accepts what another implementation signs, in each form of headers and body", async () => {
    const body = JSON.stringify({ type: "project.archived", data: { projectName: "Größe €" } });
    const signed = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(now.getTime() / 1000),
      "webhook-signature": new Webhook(secret).sign("evt_1", now, body),
    };
    const upperCase = Object.fromEntries(
      Object.entries(signed).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const headers of [signed, new Headers(signed), upperCase])
      for (const bytes of [body, new TextEncoder().encode(body), Buffer.from(body)])
        expect(await verifyWebhook({ secret, headers, body: bytes, now })).toEqual(JSON.parse(body));
  });

  it("accepts a request if one of several signatures matches, as while a secret is being rotated", async () => {
    const other = new Webhook("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD").sign(
      "msg_p5jXN8AQM9LWM0D4loKWxJek",
      now,
      '{"test": 2432232314}',
    );
    const { "webhook-signature": own } = example.headers as Record<string, string>;
    const signature = `v2,AAAA ${other} v1,not-base64 ${own}`;
    expect(
      await verifyWebhook({ ...example, headers: { ...example.headers, "webhook-signature": signature } }),
    ).toEqual({ test: 2432232314 });
  });

  it.each([
    ["another body", { body: '{"test": 2432232315}' }],
    ["a body that was parsed and serialized again", { body: '{"test":2432232314}' }],
    ["another secret", { secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" }],
  ])("rejects %s with signature_invalid", async (_, changes) => {
    expect(await rejection({ ...example, ...changes })).toBe("signature_invalid");
  });

  it.each([
    ["webhook-id", "msg_other", "signature_invalid"],
    ["webhook-timestamp", "1614265331", "signature_invalid"],
    ["webhook-timestamp", "tomorrow", "timestamp_invalid"],
    ["webhook-timestamp", "", "header_missing"],
    ["webhook-signature", "v1,", "signature_invalid"],
    ["webhook-signature", "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "signature_invalid"],
    ["webhook-signature", "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "signature_invalid"],
    ["webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1O=", "signature_invalid"],
    ["webhook-signature", "", "header_missing"],
  ])("rejects the %s %j with %s", async (name, value, code) => {
    expect(await rejection({ ...example, headers: { ...example.headers, [name]: value } })).toBe(code);
  });

  it("rejects a header that was sent twice", async () => {
    const headers = { ...example.headers, "webhook-id": ["msg_p5jXN8AQM9LWM0D4loKWxJek", "x"] };
    expect(await rejection({ ...example, headers })).toBe("header_missing");
  });

  it.each([-301, 301])("rejects a timestamp that is %i seconds from now", async (seconds) => {
    const later = new Date(now.getTime() + seconds * 1000);
    expect(await rejection({ ...example, now: later })).toBe("timestamp_invalid");
  });

  it("accepts a timestamp within the tolerance that is asked for", async () => {
    const later = new Date(now.getTime() + 301_000);
    expect(await verifyWebhook({ ...example, now: later, toleranceSeconds: 301 })).toBeDefined();
  });

  it.each(["", "whsec_", "whsec_%%%"])("rejects the secret %j with a TypeError", async (wrong) => {
    await expect(verifyWebhook({ ...example, secret: wrong })).rejects.toThrow(TypeError);
  });
});
