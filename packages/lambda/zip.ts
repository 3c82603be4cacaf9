import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { deflateRawSync } from "node:zlib";

const localHeader = 30;
const centralHeader = 46;
const endOfDirectory = 22;

/** Returns the size in bytes of a folder as a zip file with DEFLATE and the headers of APPNOTE, section 4.3. */
export async function zippedBytes(dir: string): Promise<number> {
  let bytes = endOfDirectory;
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = Buffer.byteLength(relative(dir, path));
    const deflated = deflateRawSync(await readFile(path), { level: 9 }).length;
    bytes += localHeader + centralHeader + 2 * name + deflated;
  }
  return bytes;
}
