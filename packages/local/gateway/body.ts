import type { IncomingMessage, ServerResponse } from "node:http";
import { realTimer } from "../timer.ts";

/** Why no body was read: it is too large, or the client disconnected while sending it. */
export type BodyFailure = "too_large" | "disconnected";

/** Limits for reading and discarding the rest of a rejected body before the connection is closed. */
const discardLimits = { maxBytes: 64 * 1024 * 1024, ms: 5000 };

/**
 * Reads a request body of at most `maxBytes` bytes. Rejects a larger Content-Length before reading, and before responding to
 * Expect: 100-continue.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Buffer | BodyFailure> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.resolve("too_large");
  if (request.headers.expect) response.writeContinue();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: Buffer | BodyFailure) => {
      request.off("data", take).off("end", end).off("close", disconnect);
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
    const disconnect = () => settle("disconnected");
    // A disconnected client also causes "close", so its error needs no handling.
    request.on("error", () => {});
    request.on("data", take).on("end", end).on("close", disconnect);
  });
}

/**
 * Reads and discards the rest of a request body. Closing the connection at once would reset it, and a client that is still
 * sending might never see the response.
 */
export function drained(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let dropped = 0;
    const done = () => {
      cancel();
      resolve();
    };
    const cancel = realTimer(discardLimits.ms, () => request.destroy());
    request.on("error", () => {});
    request.on("end", done).on("close", done);
    request.on("data", (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > discardLimits.maxBytes) request.destroy();
    });
    request.resume();
  });
}
