import { readFile } from "node:fs/promises";
import { maxBytes } from "@svc/core/avatar/accepted";
import * as Pictures from "@svc/core/testing/pictures";
import { password } from "@svc/local/demo";
import sharp from "sharp";
import { expect } from "vitest";
import { expectTroubles, startSite, test, type Watched } from "../testing/browser.ts";

const site = startSite();

const choose = (page: Watched, name: string, buffer: Buffer) =>
  page.locator("input[type=file]").setInputFiles({ name, mimeType: "image/jpeg", buffer });

/** Noise, which no format makes small. */
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

test("what the server refuses is refused before it is sent, in its very words", async () => {
  const page = await site.openAs("member@demo.test", "/settings/profile");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/upload/avatar")) sent.push(request.url());
  });
  const files = {
    "photo.heic": Pictures.heicLike(),
    "drawing.svg": Pictures.svg(),
    "scan.tiff": await Pictures.tiff(),
    "paper.pdf": Pictures.pdf(),
    "clip.mp4": Pictures.ftyp("isom", "mp42"),
    "notes.txt": Buffer.from("This is a letter."),
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
  expect(sent).toEqual([]);
});

test("a photo over the limit is sent smaller, with its progress, and can be removed again", async () => {
  const page = await site.openAs("member@demo.test", "/settings/profile");
  const photo = await heavyPhoto();
  expect(photo.length).toBeGreaterThan(maxBytes);
  const going = Promise.withResolvers<number>();
  const released = Promise.withResolvers<void>();
  await page.route("**/api/upload/avatar", async (route) => {
    going.resolve(route.request().postDataBuffer()?.length ?? 0);
    await released.promise;
    await route.continue();
  });
  await choose(page, "holiday.png", photo);
  await page.getByText("over the limit").waitFor();
  await page.getByRole("button", { name: "Use this picture" }).click();
  expect(await going.promise).toBeLessThan(maxBytes);
  await page.getByRole("progressbar").waitFor();
  released.resolve();
  await page.getByText("This is your picture now.").waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove it" }).click();
  await page.getByText("Your picture is removed.").waitFor();
  expect(await page.getByRole("region", { name: "Picture" }).locator("img").count()).toBe(0);
});

test("a picture can be dropped and pasted, and an upload that fails can be tried again", async () => {
  const page = await site.openAs("member@demo.test", "/settings/profile");
  await page.getByRole("button", { name: "Choose a picture" }).waitFor();
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
  await page.getByText("The server did not answer").waitFor();
  expectTroubles(page, /ERR_FAILED/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("This is your picture now.").waitFor();
});

test("name and password are changed; all data is downloaded; who owns a workspace with others hands it over before going", async () => {
  const page = await site.openAs("owner@demo.test", "/settings/profile", { acceptDownloads: true });
  await page.getByLabel("Name").fill("Olivia Ortega");
  await page.getByLabel("Telephone").fill("call me");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Not a telephone number.").waitFor();
  expectTroubles(page, /422/);
  await page.getByLabel("Telephone").fill("+41 44 123 45 67");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Account of Olivia Ortega" }).waitFor();

  await page.getByLabel("Current password").fill(password);
  await page.getByLabel("New password").fill("another unlikely phrase");
  await page.getByRole("button", { name: "Change the password" }).click();
  await page.getByText("Your password is changed").waitFor();
  expect(await page.getByLabel("New password").inputValue()).toBe("");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^svc-export-\d{4}-\d\d-\d\d\.json$/);
  const all = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(all.profile.name).toBe("Olivia Ortega");

  const remove = async () => {
    await page.getByRole("button", { name: "Delete the account…" }).click();
    await page.getByRole("button", { name: "Delete it for ever" }).click();
  };
  await remove();
  await page
    .getByRole("dialog", { name: "Your password, please" })
    .getByLabel("Password", { exact: true })
    .fill("another unlikely phrase");
  await page.keyboard.press("Enter");
  await page.getByText("You own Demo, and others are in it.").waitFor();
  expectTroubles(page, /403/, /409/);
  await page.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("button", { name: "Hand over Demo" }).click();
  await page.getByLabel("Next owner").selectOption({ label: "Adam Admin, admin@demo.test" });
  await page.getByRole("button", { name: "Hand over", exact: true }).click();
  await page.getByRole("button", { name: "Leave Demo" }).waitFor();
  await remove();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByText("Your account is deleted.").waitFor();
});
