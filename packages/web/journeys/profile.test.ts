import { readFile } from "node:fs/promises";
import { maxBytes } from "@svc/core/avatar/accepted";
import * as Pictures from "@svc/core/testing/pictures";
import { password } from "@svc/local/demo";
import sharp from "sharp";
import { expect } from "vitest";
import { expectErrors, startSite, test, type Watched } from "../testing/browser.ts";

const site = startSite();

const choose = (page: Watched, name: string, buffer: Buffer) =>
  page.locator("input[type=file]").setInputFiles({ name, mimeType: "image/jpeg", buffer });

/** Returns an image of noise, which no format compresses well. */
async function heavyPhoto(): Promise<Buffer> {
  const [width, height] = [1700, 1500];
  const noise = Buffer.alloc(width * height * 3);
  for (let at = 0, seed = 1; at < noise.length; at++) {
    seed = Math.imul(seed, 1664525) + 1013904223;
    noise[at] = seed >>> 24;
  }
  return sharp(noise, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

test("a file that the API would reject is rejected before the upload, with the message of the API", async () => {
  const page = await site.openAs("member@demo.test", "/settings/profile");
  const uploads: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/upload/avatar")) uploads.push(request.url());
  });
  const files = {
    "photo.heic": Pictures.heicLike(),
    "drawing.svg": Pictures.svg(),
    "scan.tiff": await Pictures.tiff(),
    "paper.pdf": Pictures.pdf(),
    "clip.mp4": Pictures.ftyp("isom", "mp42"),
    "notes.txt": Buffer.from("This is a text."),
    "nothing.jpg": Buffer.alloc(0),
  };
  const notice = page.getByRole("region", { name: "Picture" }).getByRole("alert");
  for (const [name, buffer] of Object.entries(files)) {
    const answer = await page.request.post(site.url("/api/upload/avatar"), {
      headers: { origin: site.url("").replace(/\/$/, "") },
      multipart: { avatar: { name, mimeType: "image/jpeg", buffer } },
    });
    await choose(page, name, buffer);
    const { detail } = await answer.json();
    await expect.poll(() => notice.textContent(), { message: name }).toBe(detail);
  }
  expect(uploads).toEqual([]);
});

test("a photo over the size limit is resized before the upload and can be removed again", async () => {
  const page = await site.openAs("member@demo.test", "/settings/profile");
  const photo = await heavyPhoto();
  expect(photo.length).toBeGreaterThan(maxBytes);
  const uploading = Promise.withResolvers<number>();
  const released = Promise.withResolvers<void>();
  await page.route("**/api/upload/avatar", async (route) => {
    uploading.resolve(route.request().postDataBuffer()?.length ?? 0);
    await released.promise;
    await route.continue();
  });
  await choose(page, "holiday.png", photo);
  await page.getByText("too large, so it will be resized").waitFor();
  await page.getByRole("button", { name: "Use this picture" }).click();
  expect(await uploading.promise).toBeLessThan(maxBytes);
  await page.getByRole("progressbar").waitFor();
  released.resolve();
  await page.getByText("Picture updated.").waitFor();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByRole("button", { name: "Remove picture" }).click();
  await page.getByText("Picture removed.").waitFor();
  expect(await page.getByRole("region", { name: "Picture" }).locator("img").count()).toBe(0);
});

test("a picture can be dropped or pasted, and a failed upload can be retried", async () => {
  const page = await site.openAs("member@demo.test", "/settings/profile");
  await page.getByRole("button", { name: "Choose picture" }).waitFor();
  const bytes = [...(await Pictures.jpeg({ width: 500, height: 900 }))];
  const preview = page.getByRole("img", { name: /^Preview/ });
  for (const kind of ["drop", "paste"] as const) {
    await page.evaluate(
      ({ kind, bytes }) => {
        const carried = new DataTransfer();
        carried.items.add(new File([new Uint8Array(bytes)], "me.jpg", { type: "image/jpeg" }));
        const options = { bubbles: true, cancelable: true };
        if (kind === "paste")
          document.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: carried }));
        else
          document
            .querySelector(".drop")
            ?.dispatchEvent(new DragEvent("drop", { ...options, dataTransfer: carried }));
      },
      { kind, bytes },
    );
    await preview.waitFor();
    if (kind === "drop") await page.getByRole("button", { name: "Cancel" }).click();
  }
  await page.route("**/api/upload/avatar", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Use this picture" }).click();
  await page.getByText("The server did not respond").waitFor();
  expectErrors(page, /ERR_FAILED/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Picture updated.").waitFor();
});

test("a user changes name and password, downloads their data, transfers their workspace and deletes the account", async () => {
  const page = await site.openAs("owner@demo.test", "/settings/profile", { acceptDownloads: true });
  await page.getByLabel("Name").fill("Olivia Ortega");
  await page.getByLabel("Phone").fill("call me");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Phone must be a telephone number such as +41 44 123 45 67.").waitFor();
  expectErrors(page, /422/);
  await page.getByLabel("Phone").fill("+41 44 123 45 67");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("button", { name: "Account of Olivia Ortega" }).waitFor();

  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill("another unlikely phrase");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed.").waitFor();
  expect(await page.getByLabel("New password").inputValue()).toBe("");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download data" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^svc-export-\d{4}-\d\d-\d\d\.json$/);
  const all = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(all.profile.name).toBe("Olivia Ortega");

  const remove = async () => {
    await page.getByRole("button", { name: "Delete account…" }).click();
    await page.getByRole("button", { name: "Delete account", exact: true }).click();
  };
  await remove();
  await page
    .getByRole("dialog", { name: "Confirm your password" })
    .getByLabel("Password", { exact: true })
    .fill("another unlikely phrase");
  await page.keyboard.press("Enter");
  await page.getByText("You own Demo, which has other members.").waitFor();
  expectErrors(page, /403/, /409/);
  await page.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("button", { name: "Transfer Demo" }).click();
  await page.getByLabel("New owner").selectOption({ label: "Adam Admin, admin@demo.test" });
  await page.getByRole("button", { name: "Transfer workspace" }).click();
  await page.getByRole("button", { name: "Leave Demo" }).waitFor();
  await remove();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByText("Account deleted.").waitFor();
});
