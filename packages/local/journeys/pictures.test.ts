import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  "POST /api/upload/avatar converts %s to a 400x400 WebP without metadata and returns its signed URL",
  async (name, make) => {
    const { status, body } = await upload(await make());
    expect([status, Object.keys(body)]).toEqual([200, ["url", "signedUrl"]]);
    const shown = await fetch(body.signedUrl);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
    const picture = sharp(Buffer.from(await shown.arrayBuffer()));
    const { format, width, height, hasAlpha, exif, icc, xmp } = await picture.metadata();
    expect({ format, width, height, hasAlpha, exif, icc, xmp }).toMatchObject({
      ...{ format: "webp", width: 400, height: 400, hasAlpha: name.includes("transparency") },
      ...{ exif: undefined, icc: undefined, xmp: undefined },
    });
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
    fetch(`${server.url}/_local/clock`, { method: "POST", body: JSON.stringify({ advanceSeconds }) });
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
