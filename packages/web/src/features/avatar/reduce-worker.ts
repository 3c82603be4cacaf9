import { type Reduced, reduceFile, type Size } from "./reduce.ts";

/** The file to reduce, and the size to reduce it to. */
export type Task = { file: Blob; size: Size };

/** The reduced image, or undefined when the browser cannot decode the file here. */
export type Answer = Reduced | undefined;

addEventListener("message", async ({ data: { file, size } }: MessageEvent<Task>) => {
  const answer: Answer = await reduceFile(file, size).catch(() => undefined);
  postMessage(answer, { transfer: answer ? [answer.bitmap] : [] });
});
