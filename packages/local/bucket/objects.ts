import { createHash, randomUUID } from "node:crypto";
import { renameSync, unlinkSync } from "node:fs";
import { mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

export type Meta = {
  key: string;
  size: number;
  etag: string;
  /** Milliseconds since 1970, rounded down to seconds as in S3. */
  lastModified: number;
  /** Headers of the response: content-type, cache-control, x-amz-meta-… */
  headers: Record<string, string>;
};

/** The objects of one bucket. */
export type Objects = {
  /** Resolves once the object is on disk. Resolves to undefined if `ifAbsent` is set and the key exists. */
  write(
    key: string,
    body: Buffer,
    headers: Record<string, string>,
    at: Date,
    ifAbsent: boolean,
  ): Promise<Meta | undefined>;
  read(key: string): Promise<{ meta: Meta; body: Buffer } | undefined>;
  remove(key: string): Promise<void>;
  /** Lists objects in the order of S3: by the bytes of their keys. */
  list(): Meta[];
};

/**
 * Bytes to read for the metadata line, more than it can have: Node's server accepts 16 KiB of headers, and JSON escapes can
 * make them six times as long.
 */
const headBytes = 128 * 1024;

/**
 * Opens a directory of objects. Each object is one file: a line of JSON metadata, then its bytes. A rename replaces both, so a
 * crash leaves the old or the new object. File names are hashes, since keys can be too long. Only one process may open the
 * directory.
 */
export async function openObjects(directory: string): Promise<Objects> {
  await mkdir(directory, { recursive: true });
  const index = new Map<string, Meta>();
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (name.endsWith(".part")) await rm(path);
    else if (name.endsWith(".object")) {
      const meta = await readMeta(path);
      index.set(meta.key, meta);
    }
  }

  const pathOf = (key: string) => join(directory, `${createHash("sha256").update(key).digest("hex")}.object`);

  /** Flushes the directory, which makes renames and deletions durable. */
  async function syncDirectory() {
    const handle = await open(directory);
    await handle.sync().finally(() => handle.close());
  }

  return {
    async write(key, body, headers, at, ifAbsent) {
      const etag = `"${createHash("md5").update(body).digest("hex")}"`;
      const lastModified = Math.floor(at.getTime() / 1000) * 1000;
      const meta = { key, size: body.length, etag, lastModified, headers };
      const temporary = join(directory, `${randomUUID()}.part`);
      const file = await open(temporary, "wx");
      try {
        await file.writeFile(Buffer.concat([Buffer.from(`${JSON.stringify(meta)}\n`), body]));
        await file.sync();
      } finally {
        await file.close();
      }
      // There is no await between this check and the update of the index, so only one concurrent writer finds the key absent.
      if (ifAbsent && index.has(key)) {
        await rm(temporary);
        return undefined;
      }
      renameSync(temporary, pathOf(key));
      index.set(key, meta);
      await syncDirectory();
      return meta;
    },

    async read(key) {
      if (!index.has(key)) return undefined;
      const file = await readFile(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        // The object was deleted after the check above.
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      if (!file) return undefined;
      const end = file.indexOf("\n");
      return { meta: JSON.parse(file.toString("utf8", 0, end)), body: file.subarray(end + 1) };
    },

    async remove(key) {
      if (!index.delete(key)) return;
      unlinkSync(pathOf(key));
      await syncDirectory();
    },

    list() {
      return [...index.values()].sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
    },
  };
}

async function readMeta(path: string): Promise<Meta> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return JSON.parse(buffer.subarray(0, bytesRead).toString("utf8").split("\n", 1)[0] ?? "");
  } finally {
    await file.close();
  }
}
