import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sample } from "@svc/core/testing/sample";
import { multipartCases } from "@svc/functions/testing/multipart-bodies";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  call,
  get,
  type LoggedIn,
  logIn,
  type ServerProcess,
  start,
  stop,
} from "../testing/server-process.ts";

let data: string;
let server: ServerProcess;
let mia: LoggedIn;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "svc-pictures-"));
  server = await start(data);
  mia = await logIn(server.url, "member@demo.test");
}, 60_000);
afterAll(async () => {
  await stop(server, "SIGTERM");
  await rm(data, { recursive: true, force: true });
});

function upload(file: Buffer, who = mia) {
  const body = new FormData();
  body.append("avatar", new Blob([new Uint8Array(file)]), "picture");
  const headers = { authorization: `Bearer ${who.token}` };
  return call(`${server.url}/api/upload/avatar`, { method: "POST", headers, body });
}

const colour = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 60, b: 30, alpha } } });

test.each([
  [
    "a JPEG",
    () =>
      colour(900, 600)
        .flatten()
        .jpeg()
        .withExif({ IFD0: { Copyright: "Ada" } })
        .toBuffer(),
  ],
  ["a PNG with transparency", () => colour(600, 900, 0.5).png().toBuffer()],
  ["a WebP", () => colour(500, 500).webp().toBuffer()],
  ["a GIF", () => colour(300, 200).gif().toBuffer()],
  ["an AVIF", () => colour(640, 480).avif({ effort: 0 }).toBuffer()],
] as const)(
  "POST /api/upload/avatar converts %s to a WebP of 400x400 and one of 96x96 without metadata and returns their signed URLs",
  async (name, make) => {
    const { status, body } = await upload(await make());
    expect([status, Object.keys(body)]).toEqual([
      200,
      ["url", "signedUrl", "avatarSmall", "avatarPlaceholder"],
    ]);
    for (const [url, side] of [
      [body.signedUrl, 400],
      [body.avatarSmall, 96],
    ]) {
      // A page of the client may read pictures, so that its service worker can keep them.
      const shown = await fetch(url, { headers: { origin: server.url } });
      expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
      expect(shown.headers.get("access-control-allow-origin")).toBe(server.url);
      const picture = sharp(Buffer.from(await shown.arrayBuffer()));
      const { format, width, height, hasAlpha, exif, icc, xmp } = await picture.metadata();
      expect({ format, width, height, hasAlpha, exif, icc, xmp }).toMatchObject({
        ...{ format: "webp", width: side, height: side, hasAlpha: name.includes("transparency") },
        ...{ exif: undefined, icc: undefined, xmp: undefined },
      });
    }
    const me = await get(`${server.url}/auth/me`, mia.token);
    expect(new URL(me.body.avatar).pathname).toBe(new URL(body.signedUrl).pathname);
    const altered = body.signedUrl.replace(/.$/, (last: string) => (last === "0" ? "1" : "0"));
    expect((await fetch(altered)).status).toBe(403);
    expect((await fetch(body.signedUrl.split("?")[0] ?? "")).status).toBe(403);
  },
);

test("a signed URL expires after seven days, and signing in returns a new one", async () => {
  const { body } = await upload(await colour(50, 50).png().toBuffer());
  const move = (advanceSeconds: number) =>
    fetch(`${server.toolsUrl}/_local/clock`, { method: "POST", body: JSON.stringify({ advanceSeconds }) });
  await move(604_799 - 60);
  expect((await fetch(body.signedUrl)).status).toBe(200);
  await move(120);
  expect((await fetch(body.signedUrl)).status).toBe(403);
  mia = await logIn(server.url, "member@demo.test");
  expect((await fetch(mia.user.avatar)).status).toBe(200);
});

test.skipIf(process.platform !== "linux")(
  "eight concurrent uploads of large images keep the server under 900 MiB",
  { timeout: 120_000 },
  async () => {
    const large = await Promise.all([
      colour(4000, 3000).avif({ effort: 0 }).toBuffer(),
      colour(8000, 6200).flatten().png().toBuffer(),
      colour(8000, 6200).flatten().jpeg().toBuffer(),
      colour(8000, 6200).flatten().webp({ effort: 0 }).toBuffer(),
    ]);
    const answers = await Promise.all([...large, ...large].map((file) => upload(file)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const status = await readFile(`/proc/${server.process.pid}/status`, "utf8");
    const peakMiB = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    expect(peakMiB).toBeGreaterThan(100);
    expect(peakMiB).toBeLessThan(900);
  },
);

test("npm start answers hostile multipart bodies and does not exit", async () => {
  const { token } = await logIn(server.url, "owner@free.test");
  const send = async (body: Buffer) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "multipart/form-data; boundary=BB" };
    const url = `${server.url}/api/upload/avatar`;
    return (await call(url, { method: "POST", headers, body: new Uint8Array(body) })).body.code;
  };
  const image = await colour(60, 40).png().toBuffer();
  const bodies = multipartCases(image);
  const malformed = bodies.filter(({ name }) => /^(?:61|100|1,000|390,000) empty|^70 text/.test(name));
  expect(malformed).toHaveLength(9);
  for (const { body, expected } of malformed) expect(await send(body())).toBe(expected);
  const whole = bodies[0]?.body() ?? Buffer.alloc(0);
  const lengths = Array.from({ length: Math.min(2000, whole.length - 8) }, (_, length) => length);
  // The limit is 60 uploads per minute.
  for (const length of sample(lengths, 40).slice(0, 40))
    expect(await send(whole.subarray(0, length))).toBe("multipart_malformed");
  expect(await send(whole)).toBeUndefined();
});
