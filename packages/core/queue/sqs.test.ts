import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SQSClient } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { sqs } from "./sqs.ts";

type Asked = {
  QueueUrl: string;
  Entries: { Id: string; MessageBody: string; DelaySeconds: number; MessageGroupId: string }[];
};

/** Speaks as SQS does, to the SDK itself. */
async function server(failing: (asked: Asked) => string[] | undefined) {
  const asked: Asked[] = [];
  const listening = createServer(async (request, response) => {
    const body: Asked = JSON.parse((await request.toArray()).join(""));
    asked.push(body);
    const failed = failing(body);
    response.writeHead(failed ? 200 : 400, { "content-type": "application/x-amz-json-1.0" });
    const entries = body.Entries.filter(({ Id }) => !failed?.includes(Id));
    response.end(
      JSON.stringify(
        failed
          ? {
              Successful: entries.map(({ Id }) => ({ Id, MessageId: Id, MD5OfMessageBody: "" })),
              Failed: failed.map((Id) => ({ Id, SenderFault: false, Code: "InternalError" })),
            }
          : { __type: "com.amazonaws.sqs#QueueDoesNotExist", message: "none" },
      ),
    );
  }).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const client = new SQSClient({
    region: "eu-central-1",
    endpoint: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    credentials: { accessKeyId: "AKIATEST", secretAccessKey: "secret" },
    md5: false,
    maxAttempts: 1,
  });
  const close = () => {
    client.destroy();
    listening.close();
  };
  return { asked, send: sqs({ url: "https://sqs.eu-central-1.amazonaws.com/1/work" }, client), close };
}

test("messages go out ten a call, with their delay and the group they belong to", async () => {
  const { asked, send, close } = await server(() => []);
  await send(Array.from({ length: 12 }, (_, n) => ({ body: `${n}`, group: `g${n % 2}`, delaySeconds: n })));
  close();
  expect(asked.map(({ Entries }) => Entries.length)).toEqual([10, 2]);
  expect(asked[1]).toMatchObject({
    QueueUrl: "https://sqs.eu-central-1.amazonaws.com/1/work",
    Entries: [
      { MessageBody: "10", DelaySeconds: 10, MessageGroupId: "g0" },
      { MessageBody: "11", DelaySeconds: 11, MessageGroupId: "g1" },
    ],
  });
});

test("a queue that is not there, and one that takes a part only, are a fault", async () => {
  for (const failing of [() => undefined, () => ["1"]]) {
    const { send, close } = await server(failing);
    const sent = send([
      { body: "a", group: "g" },
      { body: "b", group: "g" },
    ]);
    await expect(sent).rejects.toMatchObject({ kind: "upstream", code: "queue_unavailable" });
    close();
  }
});
