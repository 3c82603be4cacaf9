import { maxBytes } from "@svc/core/avatar/accepted";
import * as Pictures from "@svc/core/testing/pictures";
import { sample } from "@svc/core/testing/sample";
import sharp from "sharp";
import { describe, expect } from "vitest";
import {
  expectAccessible,
  expectErrors,
  expectFits,
  type OpenOptions,
  startSite,
  test,
  type Watched,
} from "../testing/browser.ts";

const site = startSite();

const choose = (page: Watched, name: string, buffer: Buffer) =>
  page
    .getByLabel("Picture", { exact: true })
    .locator("visible=false")
    .setInputFiles({ name, mimeType: "image/jpeg", buffer });

const use = (page: Watched) => page.getByRole("button", { name: "Use this picture" }).click();

/** Waits until a photo can be cropped. */
const opened = (page: Watched) => page.getByRole("application", { name: /^Photo/ }).waitFor();

/** Opens the profile page and returns the files that it uploads. The browser does not show them in its requests. */
async function openProfile(options?: OpenOptions) {
  const page = await site.openAs("member@demo.test", "/login", options);
  await page.addInitScript(() => {
    const files: Blob[] = [];
    Object.assign(window, { files });
    const append = FormData.prototype.append;
    FormData.prototype.append = function (name: string, value: string | Blob, ...rest: string[]) {
      if (value instanceof Blob) files.push(value);
      append.call(this, name, value as Blob, ...rest);
    };
  });
  await page.goto(site.url("/settings/profile"));
  const uploads = async () => {
    const urls = await page.evaluate(() =>
      Promise.all(
        (window as unknown as { files: Blob[] }).files.map((file) => {
          const reader = new FileReader();
          reader.readAsDataURL(file);
          return new Promise<string>((resolve) => {
            reader.onload = () => resolve(String(reader.result));
          });
        }),
      ),
    );
    return urls.map(bytesOf);
  };
  return Object.assign(page, { uploads });
}

const bytesOf = (dataUrl: string) => Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");

type Pixels = Uint8Array;

/** Returns the pixels of the largest preview, 400 x 400 in RGB. */
async function previewPixels(page: Watched): Promise<Pixels> {
  const url = await page
    .locator(".crop-previews canvas")
    .first()
    .evaluate((one) => (one as HTMLCanvasElement).toDataURL());
  return sharp(bytesOf(url)).removeAlpha().raw().toBuffer();
}

/** Returns the pixels that the API encodes for an upright file: its center square, 400 x 400 in RGB. */
async function storedPixels(file: Buffer): Promise<Pixels> {
  const { width, height } = await sharp(file).metadata();
  const side = Math.min(width, height);
  const [left, top] = [width, height].map((length) => Math.floor((length - side) / 2)) as [number, number];
  return sharp(file)
    .extract({ left, top, width: side, height: side })
    .resize(400, 400)
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** Returns the peak signal-to-noise ratio of two images in decibels. */
function psnr(one: Pixels, other: Pixels): number {
  expect(one.length).toBe(other.length);
  const sum = one.reduce((total, value, at) => total + (value - (other[at] ?? 0)) ** 2, 0);
  return 10 * Math.log10(255 ** 2 / (sum / one.length));
}

/** Returns a photo with gradients, edges and some noise. */
async function scene({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0, seed = 1; y < height; y++)
    for (let x = 0; x < width; x++) {
      seed = Math.imul(seed, 1664525) + 1013904223;
      const inside = (x - width / 3) ** 2 + (y - height / 2) ** 2 < (height / 4) ** 2;
      const noise = seed >>> 29;
      pixels[at++] = (inside ? 200 : (x * 180) / width) + noise;
      pixels[at++] = (inside ? 150 : (y * 180) / height) + noise;
      pixels[at++] = (inside ? 90 : 160 - (x * 100) / width) + noise;
    }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92 })
    .toBuffer();
}

/** Returns the picture that the API stores, decoded. */
async function storedPicture(page: Watched): Promise<Pixels> {
  const { avatar } = await (await page.request.get(site.url("/auth/me"))).json();
  return sharp(await (await page.request.get(avatar)).body())
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** Expects that the last upload, before and after its encoding, is what the preview showed. */
async function expectStored(page: Awaited<ReturnType<typeof openProfile>>, preview: Pixels): Promise<void> {
  await page.getByText("Picture updated.").first().waitFor();
  const file = (await page.uploads()).at(-1) ?? Buffer.alloc(0);
  expect(psnr(preview, await storedPixels(file))).toBeGreaterThan(40);
  expect(psnr(preview, await storedPicture(page))).toBeGreaterThan(25);
}

describe("The file", () => {
  test("is rejected before the upload with the message of the API, if the API would reject it", async () => {
    const page = await openProfile();
    const files = {
      "photo.heic": Pictures.heic(),
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
      const { detail } = await answer.json();
      await choose(page, name, buffer);
      await expect
        .poll(() => notice.textContent(), { message: name, timeout: 1000, interval: 20 })
        .toBe(detail);
    }
    expect(await page.uploads()).toEqual([]);
  });

  test("is rejected with its size and the limit, if it is over 50 MB or 200 megapixels", async () => {
    const page = await openProfile();
    const notice = page.getByRole("region", { name: "Picture" }).getByRole("alert");
    const large = Buffer.from("GIF89a____\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;", "latin1");
    large.writeUInt16LE(20_000, 6);
    large.writeUInt16LE(10_001, 8);
    await choose(page, "large.gif", large);
    await expect
      .poll(() => notice.textContent())
      .toBe("The image has 20,000 × 10,001 pixels. The maximum is 200 million.");
    await page.evaluate(() => {
      const file = new File([new Uint8Array(50_000_001)], "heavy.jpg");
      const clipboardData = new DataTransfer();
      clipboardData.items.add(file);
      document.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    });
    await expect.poll(() => notice.textContent()).toBe("The file has 50.1 MB. The maximum is 50 MB.");
  });

  test("is uploaded from HEIC where the browser can decode it", async () => {
    const page = await openProfile();
    const jpeg = await scene({ width: 600, height: 400 });
    // Stands in for the decoder of Safari: image elements show the HEIC file as this JPEG.
    await page.evaluate(
      (bytes) => {
        const create = URL.createObjectURL;
        const decoded = new Blob([new Uint8Array(bytes)], { type: "image/jpeg" });
        URL.createObjectURL = (file) =>
          create(file instanceof File && file.name.endsWith(".heic") ? decoded : file);
      },
      [...jpeg],
    );
    await choose(page, "photo.heic", Pictures.heic());
    await opened(page);
    const preview = await previewPixels(page);
    await use(page);
    await expectStored(page, preview);
  });

  test("is sent unchanged if the API accepts it, and again as pixels if it cannot decode it", async () => {
    const page = await openProfile();
    const whole = await scene({ width: 1600, height: 1200 });
    await choose(page, "whole.jpg", whole);
    await opened(page);
    const preview = await previewPixels(page);
    await use(page);
    await expectStored(page, preview);
    expect(await page.uploads()).toEqual([whole]);

    const damaged = whole.subarray(0, whole.length * 0.9);
    await choose(page, "damaged.jpg", damaged);
    await opened(page);
    const shown = await previewPixels(page);
    await use(page);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expectStored(page, shown);
    const [, first, second] = await page.uploads();
    expect(first).toEqual(damaged);
    expect((await sharp(second).metadata()).format).toBe("png");
    expectErrors(page, /400|422/);
  });

  test("is reduced before the upload if it is too large, and the upload can be stopped", async () => {
    const page = await openProfile();
    const photo = await heavyPhoto();
    expect(photo.length).toBeGreaterThan(maxBytes);
    const released = Promise.withResolvers<void>();
    await page.route("**/api/upload/avatar", async (route) => {
      await released.promise;
      await route.continue().catch(() => {});
    });
    await choose(page, "holiday.png", photo);
    await opened(page);
    await expectFits(page);
    await use(page);
    await page.getByRole("progressbar").waitFor();
    await page.getByRole("button", { name: "Stop upload" }).click();
    await page.getByRole("progressbar").waitFor({ state: "detached" });
    released.resolve();
    expectErrors(page);
    await use(page);
    await page.getByText("Picture updated.").waitFor();
    for (const file of await page.uploads()) expect(file.length).toBeLessThan(maxBytes / 5);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Remove picture" }).click();
    await page.getByText("Picture removed.").waitFor();
    expect(await page.getByRole("region", { name: "Picture" }).locator("img").count()).toBe(0);
  });

  test("can be dropped or pasted, and a failed upload can be retried", async () => {
    const page = await openProfile();
    await page.getByRole("button", { name: "Choose picture" }).waitFor();
    const bytes = [...(await Pictures.jpeg({ width: 500, height: 900 }))];
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
      await opened(page);
      if (kind === "drop") await page.getByRole("button", { name: "Cancel" }).click();
    }
    await page.route("**/api/upload/avatar", (route) => route.abort(), { times: 3 });
    await use(page);
    await page.getByText("The server did not respond").waitFor();
    expectErrors(page, /ERR_FAILED/, /ERR_FAILED/, /ERR_FAILED/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Picture updated.").waitFor();
  });
});

describe("The crop", () => {
  test("is chosen by keyboard alone, is accessible, and is stored as the preview shows it", async () => {
    const page = await openProfile();
    const chooser = page.waitForEvent("filechooser");
    const photo = await scene({ width: 1600, height: 1200 });
    await page.getByRole("button", { name: "Choose picture" }).focus();
    await page.keyboard.press("Enter");
    await (await chooser).setFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer: photo });
    await opened(page);
    await expectAccessible(page);
    // Every key changes the preview, so each of them works.
    const seen = [await previewPixels(page)];
    for (const key of [
      "+",
      "+",
      "ArrowLeft",
      "ArrowRight",
      "ArrowRight",
      "ArrowUp",
      "ArrowDown",
      "ArrowDown",
      "-",
      "r",
    ]) {
      await page.keyboard.press(key);
      await expect.poll(async () => psnr(await previewPixels(page), seen.at(-1) as Pixels)).toBeLessThan(60);
      seen.push(await previewPixels(page));
    }
    const preview = seen.at(-1) as Pixels;
    for (let at = 0; at < 20; at++) {
      if (await page.evaluate(() => document.activeElement?.textContent === "Use this picture")) break;
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await expectStored(page, preview);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Choose picture");
  });

  test("is chosen by touch: one finger moves the photo, two fingers zoom", async () => {
    const page = await openProfile({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    await choose(page, "me.jpg", await scene({ width: 1600, height: 1200 }));
    await opened(page);
    expect(await page.getByRole("button", { name: "Take photo" }).count()).toBe(1);
    const box = await page.getByRole("application").boundingBox();
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
    const devTools = await page.context().newCDPSession(page);
    const touch = (
      type: "touchStart" | "touchMove" | "touchEnd",
      ...touchPoints: { x: number; y: number }[]
    ) => devTools.send("Input.dispatchTouchEvent", { type, touchPoints });
    const before = await previewPixels(page);
    await touch("touchStart", { x, y });
    await touch("touchMove", { x: x + 30, y });
    await expect.poll(async () => psnr(await previewPixels(page), before)).toBeLessThan(30);
    await touch("touchEnd");
    expect(await page.getByRole("slider", { name: "Zoom" }).inputValue()).toBe("1");
    await touch("touchStart", { x: x - 40, y }, { x: x + 40, y });
    await touch("touchMove", { x: x - 80, y }, { x: x + 80, y });
    await expect.poll(() => page.getByRole("slider", { name: "Zoom" }).inputValue()).toBe("2");
    await touch("touchEnd");
    const preview = await previewPixels(page);
    await use(page);
    await expectStored(page, preview);
  });

  test("is stored without scrolling on a screen of 320 x 640 pixels", async () => {
    const page = await openProfile({ viewport: { width: 320, height: 640 } });
    await choose(page, "me.jpg", await scene({ width: 1600, height: 1200 }));
    await opened(page);
    for (const target of [
      page.getByRole("application"),
      page.getByRole("button", { name: "Use this picture" }),
    ])
      expect(await target.evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThanOrEqual(640);
    await use(page);
    await page.getByText("Picture updated.").waitFor();
  });

  test("of a phone photo is upright for every Exif orientation", async () => {
    const page = await openProfile();
    const { topLeft, topRight, bottomLeft, bottomRight } = Pictures.corners;
    const expected = [topLeft, topRight, bottomLeft, bottomRight].map(({ r, g, b }) => [r, g, b]);
    /** Returns the largest difference of a corner to that of the upright photo. */
    const difference = (pixels: Pixels) =>
      Math.max(
        ...[20 * 400 + 20, 20 * 400 + 380, 380 * 400 + 20, 380 * 400 + 380].flatMap((at, corner) =>
          [0, 1, 2].map((channel) =>
            Math.abs((pixels[at * 3 + channel] ?? 0) - (expected[corner]?.[channel] ?? 0)),
          ),
        ),
      );
    const orientations = sample([1, 2, 3, 4, 5, 6, 7, 8], 3);
    for (const orientation of orientations) {
      await choose(page, "phone.jpg", await Pictures.photo({ width: 1200, height: 900, orientation }));
      await opened(page);
      expect(difference(await previewPixels(page)), `${orientation}`).toBeLessThan(12);
      if (orientation !== orientations.at(-1)) await page.getByRole("button", { name: "Cancel" }).click();
    }
    await page.keyboard.press("+");
    await use(page);
    await page.getByText("Picture updated.").waitFor();
    expect(difference(await storedPicture(page))).toBeLessThan(12);
  });
});

test("the former picture stays until the new one has loaded", async () => {
  // Requests of a service worker cannot be held up.
  const page = await openProfile({ consent: ["essential"] });
  const picture = page.getByRole("region", { name: "Picture" }).locator(".avatar img");
  const former = await picture.getAttribute("src");
  const released = Promise.withResolvers<void>();
  await page.route(`${site.server().bucket?.url}/**`, async (route) => {
    await released.promise;
    await route.continue();
  });
  await choose(page, "me.jpg", await Pictures.jpeg({ width: 500, height: 500 }));
  await opened(page);
  await use(page);
  await page.getByText("Picture updated.").waitFor();
  await expect.poll(() => picture.count()).toBe(2);
  const opacity = (at: number) => picture.nth(at).evaluate((one) => getComputedStyle(one).opacity);
  expect(await picture.first().getAttribute("src")).toBe(former);
  expect([await opacity(0), await opacity(1)]).toEqual(["1", "0"]);
  released.resolve();
  await expect.poll(() => picture.count()).toBe(1);
  expect(await picture.getAttribute("src")).not.toBe(former);
  expect(await opacity(0)).toBe("1");
});

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
