import { remove } from "@svc/core/avatar/remove";
import { upload } from "@svc/core/avatar/upload";
import { connect } from "@svc/core/db/engine";
import sharp from "sharp";

/**
 * A process that uploads or removes one picture and that crash.test.ts kills at a step of its choice. Its database is the
 * parent's, by messages, so that the parent sees each statement before it runs and after.
 */
const { operation, userId } = JSON.parse(process.argv[2] ?? "{}") as {
  operation: "upload" | "remove";
  userId: string;
};

export type Asked = { id: number; sql: string; parameters: readonly unknown[] };
export type Answered = { id: number; result?: unknown; error?: string };

let last = 0;
const waiting = new Map<number, PromiseWithResolvers<unknown>>();
process.on("message", ({ id, result, error }: Answered) => {
  const asked = waiting.get(id);
  if (error === undefined) asked?.resolve(result);
  else asked?.reject(new Error(error));
});

function query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
  const asked = Promise.withResolvers<unknown>();
  waiting.set(++last, asked);
  process.send?.({ id: last, sql, parameters } satisfies Asked);
  return asked.promise;
}

connect({ options: {}, end: async () => {}, connect: async () => ({ query, release() {} }) as never });

const actor = { userId, sessionId: "ses_crash", ip: "127.0.0.1", userAgent: "test", requestId: "crash" };
const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#39c" } })
  .png()
  .toBuffer();
await (operation === "upload" ? upload(actor, picture) : remove(actor));
process.disconnect();
