import type { IncomingMessage, ServerResponse } from "node:http";
import { realTimer } from "../timer.ts";

/** Why there is no body: it is larger than it may be, or the client went away while it sent it. */
export type NoBody = "too_large" | "gone";

/** How much of a refused body is still taken in and dropped, and how long, before the connection is cut. */
const linger = { maxBytes: 64 * 1024 * 1024, ms: 5000 };

/**
 * The whole body, at most this many bytes of it kept in memory. One that announces itself as larger is refused before
 * any of it is asked for.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Buffer | NoBody> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve("too_large");
  if (request.headers.expect) response.writeContinue();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: Buffer | NoBody) => {
      request.off("data", take).off("end", end).off("close", gone);
      resolve(outcome);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.pause();
        settle("too_large");
      } else chunks.push(chunk);
    };
    const end = () => settle(Buffer.concat(chunks, size));
    const gone = () => settle("gone");
    // A client that goes away half-way is heard of as "close"; its error says nothing more.
    request.on("error", () => {});
    request.on("data", take).on("end", end).on("close", gone);
  });
}

/**
 * Resolves when what the client still sends has been read and dropped: cutting the connection at once would reset it,
 * and a client in the middle of sending might never see the answer.
 */
export function drained(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let dropped = 0;
    const done = () => {
      cancel();
      resolve();
    };
    const cancel = realTimer(linger.ms, () => request.destroy());
    request.on("error", () => {});
    request.on("end", done).on("close", done);
    request.on("data", (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > linger.maxBytes) request.destroy();
    });
    request.resume();
  });
}
