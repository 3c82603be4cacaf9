import { inflateSync } from "node:zlib";

const woffHeader = 44;
const woffEntry = 20;
const header = 12;
const entry = 16;

/**
 * Returns a WOFF file (version 1) as the OpenType file that it contains. fontkit reads WOFF too, but decompresses a whole table
 * for each glyph.
 */
export function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, at) => {
    const start = woffHeader + at * woffEntry;
    const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(start + field)) as [
      number,
      number,
      number,
    ];
    const stored = woff.subarray(offset, offset + packed);
    const data = packed < length ? inflateSync(stored) : stored;
    return { tag: woff.subarray(start, start + 4), checksum: woff.readUInt32BE(start + 16), data };
  });
  const directory = Buffer.alloc(header + count * entry);
  woff.copy(directory, 0, 4, 8);
  directory.writeUInt16BE(count, 4);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  for (const [at, { tag, checksum, data }] of tables.entries()) {
    const start = header + at * entry;
    tag.copy(directory, start);
    directory.writeUInt32BE(checksum, start + 4);
    directory.writeUInt32BE(offset, start + 8);
    directory.writeUInt32BE(data.length, start + 12);
    const padding = Buffer.alloc(-data.length & 3);
    parts.push(data, padding);
    offset += data.length + padding.length;
  }
  return Buffer.concat(parts);
}
