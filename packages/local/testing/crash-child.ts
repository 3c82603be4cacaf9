import { connect } from "@svc/core/platform/db/engine";
import * as Queue from "@svc/core/platform/queue/queue";

/**
 * The task of a child process, which runKilled() kills at a chosen step. The child sends its database statements to the parent,
 * which runs them, so that the parent can kill it before or after each one.
 */
export type Task =
  | { operation: "upload" | "remove"; userId: string }
  | { operation: "generate"; userId: string; workspaceId: string }
  | { operation: "deliver"; endpointId: string }
  | { operation: "chain" };

const task = JSON.parse(process.argv[2] ?? "{}") as Task;

export type StatementRequest = { id: number; sql: string; parameters: readonly unknown[] };
export type StatementResult = { id: number; result?: unknown; error?: string };

let last = 0;
const waiting = new Map<number, PromiseWithResolvers<unknown>>();
process.on("message", ({ id, result, error }: StatementResult) => {
  const pending = waiting.get(id);
  if (error === undefined) pending?.resolve(result);
  else pending?.reject(new Error(error));
});

function query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
  const pending = Promise.withResolvers<unknown>();
  waiting.set(++last, pending);
  process.send?.({ id: last, sql, parameters } satisfies StatementRequest);
  return pending.promise;
}

connect({ options: {}, end: async () => {}, connect: async () => ({ query, release() {} }) as never });

// Discards all wake-ups, since the queue may lose them.
Queue.connect(async () => {});

if (task.operation === "deliver") {
  const { drain } = await import("@svc/core/webhook/drain");
  await (await drain(task.endpointId)).finished;
} else if (task.operation === "chain") {
  const { chainAll } = await import("@svc/core/audit/proof/chain");
  const { auditKeys } = await import("@svc/core/platform/config/config");
  await chainAll(auditKeys());
} else if (task.operation === "generate") {
  const { generate } = await import("@svc/core/report/generate");
  const { authorize } = await import("@svc/core/workspace/authorization");
  const actor = actorOf(task.userId);
  await generate(actor, await authorize(actor, task.workspaceId), { type: "summary", format: "csv" });
} else {
  const { remove } = await import("@svc/core/avatar/remove");
  const { upload } = await import("@svc/core/avatar/upload");
  const { default: sharp } = await import("sharp");
  const actor = actorOf(task.userId);
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#39c" } })
    .png()
    .toBuffer();
  await (task.operation === "upload" ? upload(actor, picture) : remove(actor));
}
process.disconnect();

function actorOf(userId: string) {
  return { userId, sessionId: "ses_crash", ip: "127.0.0.1", userAgent: "test", requestId: "crash" };
}
