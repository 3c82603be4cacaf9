import type { Check, Client } from "../check.ts";
import { expectEqual, expectMatch, expectStatus, send } from "../http.ts";

/** A PNG of one pixel. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
  "base64",
);

/** Checks of pictures and report files, whose signed URLs lead past the router to the object store. */
export const files: readonly Check[] = [
  {
    name: "avatar",
    title:
      "an uploaded picture becomes two WebP images that only their exact signed URLs open, in pages of the stage too, until it is removed",
    operations: ["POST /api/upload/avatar", "DELETE /api/upload/avatar", "DELETE /user/avatar"],
    async run({ stage, admin, cleanUp }) {
      const call = await admin();
      cleanUp("the avatar", () => call("DELETE /user/avatar", { expect: 204 }));
      const { signedUrl, avatarSmall, url } = await upload(call);
      expectMatch("POST /api/upload/avatar: url", url, /^objstore:avatars\//);
      for (const [name, image] of Object.entries({ signedUrl, avatarSmall })) {
        const opened = await send(image, { headers: { origin: stage.url } });
        expectStatus(`GET ${name}`, opened, 200);
        const header = (of: string) => opened.headers.get(of);
        expectEqual(`GET ${name}: content-type`, header("content-type"), "image/webp");
        expectMatch(`GET ${name}: cache-control`, header("cache-control"), /\bimmutable\b/);
        expectEqual(`GET ${name}: allowed origin`, header("access-control-allow-origin"), stage.url);
        const elsewhere = await send(image, { headers: { origin: "https://smoke.invalid" } });
        expectEqual(
          `GET ${name}: allowed origin for another page`,
          elsewhere.headers.get("access-control-allow-origin"),
          null,
        );
        expectEqual(`GET ${name}: format`, String(opened.body.subarray(8, 12)), "WEBP");
        await expectAlteredRefused(image);
      }
      const shown = (await call("GET /user/profile")).body;
      expectStatus("GET avatar of the profile", await send(shown.avatar), 200);
      expectStatus("GET avatarSmall of the profile", await send(shown.avatarSmall), 200);
      expectMatch("GET /user/profile: avatarPlaceholder", shown.avatarPlaceholder, /^[\w+/]{20,}=*$/);
      for (const removal of ["DELETE /api/upload/avatar", "DELETE /user/avatar"]) {
        await call(removal, { expect: 204 });
        const { avatar, avatarSmall, avatarPlaceholder } = (await call("GET /user/profile")).body;
        expectEqual(
          `GET /user/profile after ${removal}: avatar`,
          [avatar, avatarSmall, avatarPlaceholder].join(),
          ",,",
        );
        await upload(call);
      }
    },
  },
  {
    name: "upload-limits",
    title: "files that are too large or no pictures are rejected, and uploads count against their limit",
    async run({ admin }) {
      const call = await admin();
      const remaining = async (form: FormData, expect: number, code: string) => {
        const { headers } = await call("POST /api/upload/avatar", { form, expect, code });
        const [, left] = /^"upload";r=(\d+);t=\d+$/.exec(headers.get("ratelimit") ?? "") ?? [];
        expectMatch(
          "POST /api/upload/avatar: ratelimit-policy",
          headers.get("ratelimit-policy"),
          /^"upload";q=\d+;w=\d+$/,
        );
        return Number(left);
      };
      const before = await remaining(formWith(Buffer.alloc(4_600_000)), 413, "file_too_large");
      const after = await remaining(formWith(Buffer.from("no picture")), 415, "image_type_not_supported");
      // A new window may have begun in between.
      if (after >= before)
        expectEqual(
          "remaining uploads",
          await remaining(formWith(Buffer.from("x")), 415, "image_type_not_supported"),
          after - 1,
        );
      await call("POST /api/upload/avatar", { body: {}, expect: 415, code: "unsupported_media_type" });
    },
  },
  {
    name: "reports",
    title: "reports add up time entries, and only the exact signed URL opens a report file",
    operations: [
      "GET /api/v1/reports/summary",
      "GET /api/v1/reports/custom",
      "POST /api/v1/reports/generate",
      "GET /api/v1/reports/{id}",
      "POST /api/v1/reports",
    ],
    async run({ admin, cleanUp }) {
      const call = await admin();
      const tag = `smoke-${crypto.randomUUID()}`;
      const body = { startedAt: "2026-01-05T09:00:00Z", endedAt: "2026-01-05T10:30:00Z", tags: [tag] };
      const { id } = (await call("POST /api/v1/time-entries", { expect: 201, body })).body;
      cleanUp(`the time entry ${id}`, () =>
        call("DELETE /api/v1/time-entries/{id}", { expect: 204, path: { id } }),
      );
      const filter = { tag, from: "2026-01-01", to: "2026-01-31" };
      const summary = await call("GET /api/v1/reports/summary", { query: { ...filter, group_by: "day" } });
      expectEqual("summary: durationSeconds", summary.body.totals?.durationSeconds, 5400);
      const converted = await call("GET /api/v1/reports/summary", {
        query: { ...filter, group_by: "tag", convert_to: "USD" },
      });
      expectEqual("summary by tag: key of the first group", converted.body.groups?.[0]?.key, tag);
      const custom = await call("GET /api/v1/reports/custom", {
        query: { ...filter, group_by: "user", columns: "user,day" },
      });
      expectEqual("custom: number of groups", custom.body.groups?.length, 1);
      const { from, to } = filter;
      const file = { type: "detailed", format: "csv", from, to, filters: { tag } };
      const written = await call("POST /api/v1/reports/generate", { expect: 201, body: file });
      const opened = await send(written.body.signedUrl);
      expectStatus("GET signedUrl", opened, 200);
      expectMatch("GET signedUrl: content-type", opened.headers.get("content-type"), /^text\/csv\b/);
      expectEqual("GET signedUrl: has the entry", String(opened.body).includes(tag), true);
      await expectAlteredRefused(written.body.signedUrl);
      const again = await call("GET /api/v1/reports/{id}", { path: { id: written.body.id } });
      expectStatus("GET the new link of the report", await send(again.body.signedUrl), 200);
      const { headers } = await call("POST /api/v1/reports", { expect: 201, body: file });
      expectMatch("POST /api/v1/reports: deprecation", headers.get("deprecation"), /./);
    },
  },
];

async function upload(call: Client): Promise<{ url: string; signedUrl: string; avatarSmall: string }> {
  return (await call("POST /api/upload/avatar", { form: formWith(picture) })).body;
}

function formWith(file: Buffer): FormData {
  const form = new FormData();
  form.set("avatar", new Blob([new Uint8Array(file)]), "smoke.png");
  return form;
}

/** Checks that the object store rejects the URL with another signature, key or expiry time, or without a signature. */
async function expectAlteredRefused(signedUrl: string): Promise<void> {
  const url = new URL(signedUrl);
  const altered = (change: (url: URL) => void) => {
    const copy = new URL(url);
    change(copy);
    return copy.href;
  };
  const set = (name: string, value: (old: string) => string) => (copy: URL) =>
    copy.searchParams.set(name, value(copy.searchParams.get(name) ?? ""));
  const otherDigit = (hex: string) => hex.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const cases = {
    "other signature": altered(set("X-Amz-Signature", otherDigit)),
    "other expiry time": altered(set("X-Amz-Expires", (seconds) => String(Number(seconds) - 1))),
    "other key": altered((copy) => {
      copy.pathname += "x";
    }),
    "no signature": url.origin + url.pathname,
  };
  for (const [what, href] of Object.entries(cases))
    expectStatus(`GET signedUrl (${what})`, await send(href), 403);
}
