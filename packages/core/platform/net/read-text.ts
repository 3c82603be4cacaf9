/** A response body that is too large or not UTF-8. */
export class UnacceptableBody extends Error {}

/**
 * Reads the body of a response as UTF-8. Throws `UnacceptableBody` for invalid UTF-8 and as soon as the body exceeds
 * `maxBytes`, which stops the transfer.
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const tooLarge = new UnacceptableBody(`The document has more than ${maxBytes} bytes.`);
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge;
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let [text, bytes] = ["", 0];
  // Throwing out of the loop cancels the body and stops the transfer.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge;
    text += decoded(() => decoder.decode(chunk, { stream: true }));
  }
  return text + decoded(() => decoder.decode());
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new UnacceptableBody("The document is not UTF-8.", { cause });
  }
}
