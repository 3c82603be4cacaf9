import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import type { SourceData } from "@smithy/types";
import { describe, expect, it } from "vitest";
import { sqs } from "./sqs.ts";

type SendBatch = {
  QueueUrl: string;
  Entries: { Id: string; MessageBody: string; DelaySeconds: number; MessageGroupId: string }[];
};

const url = "https://sqs.eu-central-1.amazonaws.com/111111111111/work";
const env = {
  AWS_ACCESS_KEY_ID: "AKIATEST",
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_SESSION_TOKEN: "session",
  AWS_REGION: "eu-west-1",
};
const two = [
  { body: "a", group: "g" },
  { body: "b", group: "g" },
];

const bytes = (data: SourceData) => Buffer.from(data as string);

class Sha256 {
  #data: Uint8Array[] = [];
  readonly #key: SourceData | undefined;
  constructor(key?: SourceData) {
    this.#key = key;
  }
  update(data: SourceData) {
    this.#data.push(bytes(data));
  }
  reset() {
    this.#data = [];
  }
  async digest() {
    const hash = this.#key === undefined ? createHash("sha256") : createHmac("sha256", bytes(this.#key));
    return new Uint8Array(hash.update(Buffer.concat(this.#data)).digest());
  }
}

/** A fake SQS that records its requests. */
function service(answer: (batch: SendBatch, call: number) => Response | Promise<Response>) {
  const calls: { request: Request; body: SendBatch }[] = [];
  const fetchRequest = (async (request: Request) => {
    const body = (await request.clone().json()) as SendBatch;
    calls.push({ request, body });
    return answer(body, calls.length);
  }) as typeof fetch;
  return { calls, send: sqs({ url }, env, fetchRequest) };
}

const accepted = ({ Entries }: SendBatch, failed: readonly string[] = []) =>
  Response.json({
    Successful: Entries.filter(({ Id }) => !failed.includes(Id)).map(({ Id }) => ({ Id, MessageId: Id })),
    Failed: failed.map((Id) => ({ Id, SenderFault: false, Code: "InternalError" })),
  });

describe("sqs", () => {
  it("sends ten messages per call with their delay and group", async () => {
    const { calls, send } = service((body) => accepted(body));
    await send(Array.from({ length: 12 }, (_, n) => ({ body: `${n}`, group: `g${n % 2}`, delaySeconds: n })));
    expect(calls.map(({ body }) => body.Entries.length)).toEqual([10, 2]);
    expect(calls[1]?.body).toMatchObject({
      QueueUrl: url,
      Entries: [
        { MessageBody: "10", DelaySeconds: 10, MessageGroupId: "g0" },
        { MessageBody: "11", DelaySeconds: 11, MessageGroupId: "g1" },
      ],
    });
  });

  it("signs calls like the SDK, for the region of the queue and with the session token", async () => {
    const { calls, send } = service((body) => accepted(body));
    await send(two);
    const { request } = calls[0] ?? expect.fail("no request");
    const headers = Object.fromEntries(request.headers);
    const { authorization = "", ...given } = headers;
    const [, signed = ""] = /SignedHeaders=([\w;-]+)/.exec(authorization) ?? [];
    expect(signed.split(";")).toEqual(expect.arrayContaining(["host", "x-amz-date", "x-amz-security-token"]));
    const signer = new SignatureV4({
      service: "sqs",
      region: "eu-central-1",
      sha256: Sha256,
      credentials: { accessKeyId: "AKIATEST", secretAccessKey: "secret", sessionToken: "session" },
    });
    const at = String(given["x-amz-date"]).replace(
      /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/,
      "$1-$2-$3T$4:$5:$6Z",
    );
    const names = new Set(signed.split(";"));
    const { headers: wanted } = await signer.sign(
      {
        method: "POST",
        protocol: "https:",
        hostname: "sqs.eu-central-1.amazonaws.com",
        path: "/",
        query: {},
        headers: {
          host: "sqs.eu-central-1.amazonaws.com",
          ...Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name))),
        },
        body: await request.clone().text(),
      },
      {
        signingDate: new Date(at),
        signableHeaders: names,
        unsignableHeaders: new Set(["x-amz-content-sha256"]),
      },
    );
    expect(authorization.replaceAll(", ", ",")).toBe(String(wanted.authorization).replaceAll(", ", ","));
  });

  it("throws queue_unavailable for a missing queue and for a partly accepted batch", async () => {
    const missing = () => Response.json({ __type: "com.amazonaws.sqs#QueueDoesNotExist" }, { status: 400 });
    for (const answer of [missing, (body: SendBatch) => accepted(body, ["1"])]) {
      const { calls, send } = service(answer);
      await expect(send(two)).rejects.toMatchObject({ kind: "upstream", code: "queue_unavailable" });
      expect(calls).toHaveLength(1);
    }
  });

  it("retries once after a server error or a failed connection", async () => {
    const recovering = service((body, call) =>
      call === 1 ? new Response(null, { status: 503 }) : accepted(body),
    );
    await recovering.send(two);
    expect(recovering.calls).toHaveLength(2);
    const down = service(() => Promise.reject(new TypeError("fetch failed")));
    await expect(down.send(two)).rejects.toMatchObject({ code: "queue_unavailable" });
    expect(down.calls).toHaveLength(2);
  });
});
