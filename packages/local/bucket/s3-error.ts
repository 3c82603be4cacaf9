/** An error response of S3: a status, a code and a message. */
export type S3Error = Error & { status: number; code: string };

/** Throws an error with a code from S3's list of error codes. */
export function throwS3Error(status: number, code: string, message: string): never {
  throw Object.assign(new Error(message), { status, code });
}

/** Returns whether `throwS3Error` threw this error. */
export function isS3Error(error: unknown): error is S3Error {
  return error instanceof Error && "status" in error && "code" in error && typeof error.status === "number";
}
