import { remove } from "@svc/core/avatar/remove";
import { upload } from "@svc/core/avatar/upload";
import { connect } from "@svc/core/db/engine";
import { generate } from "@svc/core/report/generate";
import sharp from "sharp";

/**
 * A process that uploads or removes one picture, or generates one report, and that crash.test.ts kills at a step of its choice. Its database is the
 * parent's, by messages, so that the parent sees each statement before it runs and after.
 */
const {
  operation,
  userId,
  workspaceId = "",
} = JSON.parse(process.argv[2] ?? "{}") as {
  operation: "upload" | "remove" | "generate";
  userId: string;
  workspaceId?: string;
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
const seat = { workspaceId, role: "owner", plan: "FREE" } as const;
await {
  upload: () => upload(actor, picture),
  remove: () => remove(actor),
  generate: () => generate(actor, seat, { type: "summary", format: "csv" }),
}[operation]();
process.disconnect();
