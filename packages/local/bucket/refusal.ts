/** What S3 answers when it refuses: a status, a code for programs, a sentence for people. */
export type Refusal = Error & { status: number; code: string };

/** Leave early with an answer of S3's list of error codes. */
export function refuse(status: number, code: string, message: string): never {
  throw Object.assign(new Error(message), { status, code });
}

/** Was this thrown by refuse(), rather than by a bug or a broken disk? */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && "status" in error && "code" in error && typeof error.status === "number";
}
