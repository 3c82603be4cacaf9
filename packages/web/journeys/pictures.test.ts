import { avatarBucket } from "@svc/core/avatar/bucket";
import * as Config from "@svc/core/platform/config/config";
import { signer, signGet } from "@svc/core/platform/storage/signer";
import * as Pictures from "@svc/core/testing/pictures";
import { password } from "@svc/local/demo";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect } from "vitest";
import { expectErrors, startSite, test, type Watched } from "../testing/browser.ts";

const site = startSite();

/** Keys of the objects that were loaded from the bucket, in order. */
let loaded: string[] = [];

beforeEach(() => {
  const bucket = site.server().bucket;
  if (!bucket) throw new Error("The server has no bucket.");
  loaded = [];
  bucket.fail = ({ method, key }) => {
    if (method === "GET") loaded.push(key);
    return undefined;
  };
});

const bytesOf = async (keys: readonly string[]): Promise<number> => {
  const sizes = await Promise.all(keys.map(async (key) => (await avatarBucket().head(key))?.size ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const members = 23;

/** Opens the members page, high enough for all members, and waits until all pictures are shown. */
async function openMembers(
  email = "owner@demo.test",
  consent = ["essential", "functional"],
): Promise<Watched> {
  const page = await site.openAs(email, "/members", { consent, viewport: { width: 1280, height: 2600 } });
  await shown(page);
  return page;
}

/** Waits until the pictures of all members have loaded. */
const shown = (page: Page) =>
  expect.poll(() => page.locator(".member .avatar img:not([data-hidden])").count()).toBe(members);

/** Returns the keys in the caches of pictures, and whether there is a service worker. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    const workers = await navigator.serviceWorker.getRegistrations();
    return { names, urls: keys.flat().map(({ url }) => url), workers: workers.length };
  });

/** Opens a page, waits until the worker controls it, and returns what `stored` returns once it has all members. */
async function openStored(email?: string): Promise<Watched> {
  const page = await openMembers(email);
  await expect.poll(async () => (await stored(page)).urls.length).toBe(members);
  return page;
}

const signOut = async (page: Page, name: string) => {
  await page.getByRole("button", { name: `Account of ${name}` }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
};

const nothing = { names: [], urls: [] };

describe("The pictures of the members page", () => {
  test("are the small ones at the first load, and are not loaded again", async () => {
    const page = await openStored();
    expect([loaded.length, new Set(loaded).size]).toEqual([members, members]);
    expect(loaded.filter((key) => !key.startsWith("avatars-small/"))).toEqual([]);
    const large = loaded.map((key) => key.replace("avatars-small/", "avatars/"));
    expect((await bytesOf(loaded)) / (await bytesOf(large))).toBeLessThan(0.25);
    const { urls } = await stored(page);
    expect(urls.filter((url) => /[?#]/.test(url))).toEqual([]);
    loaded = [];
    await page.reload();
    await shown(page);
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await page.getByRole("link", { name: "Team members" }).click();
    await shown(page);
    expect(loaded).toEqual([]);
  });

  test("have placeholders until they have loaded", async () => {
    const page = await openMembers("owner@demo.test", ["essential"]);
    const released = Promise.withResolvers<void>();
    await page.route(`${site.server().bucket?.url}/**`, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.reload();
    const background = () =>
      page
        .locator(".member .avatar:has(img)")
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundImage.slice(0, 26)));
    await expect.poll(background).toEqual(Array(members).fill('url("data:image/png;base64'));
    released.resolve();
    await shown(page);
    expect(new Set(await background())).toEqual(new Set(["none"]));
  });

  test("change without a reload of the page, and only changed ones are loaded", async () => {
    const page = await openStored();
    await page.clock.install();
    const before = await page
      .locator(".member .avatar img")
      .evaluateAll((all) => all.map((one) => one.getAttribute("src")));
    // A page without pictures, so that only the members page loads some.
    const other = await site.openAs("member@demo.test", "/openapi.json", { consent: ["essential"] });
    loaded = [];
    const upload = await other.request.post(site.url("/api/upload/avatar"), {
      headers: { origin: new URL(site.url()).origin },
      multipart: {
        avatar: {
          name: "me.jpg",
          mimeType: "image/jpeg",
          buffer: await Pictures.jpeg({ width: 500, height: 500 }),
        },
      },
    });
    expect(upload.status()).toBe(200);
    const { url } = await upload.json();
    const key = url.replace("objstore:avatars/", "avatars-small/");
    await page.clock.fastForward(31_000);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    const changed = page.locator(`.member .avatar img[src*="${key}"]:not([data-hidden])`);
    await changed.waitFor();
    expect(loaded.filter((one) => one.startsWith("avatars"))).toEqual([key]);
    expect(before.some((src) => src?.includes(key))).toBe(false);
  });
});

describe("The stored pictures", () => {
  test("are deleted at the sign-out, and no more are stored", async () => {
    const page = await openStored();
    await signOut(page, "Olivia Owner");
    await expect.poll(() => stored(page)).toMatchObject(nothing);
  });

  test("are deleted when the session was ended elsewhere, also while no page was open", async () => {
    const page = await openStored();
    await page.context().clearCookies({ name: "svc_token" });
    await page.getByRole("link", { name: "Projects" }).click();
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    expectErrors(page, ...page.errors.map(() => /401/));
    await expect.poll(() => stored(page)).toMatchObject(nothing);

    const closed = await openStored();
    const [context] = [closed.context()];
    await closed.close();
    await context.clearCookies({ name: "svc_token" });
    const opened = await context.newPage();
    await opened.goto(site.url("/login"));
    await opened.getByRole("heading", { name: "Sign in" }).waitFor();
    await expect.poll(() => stored(opened)).toMatchObject(nothing);
  });

  test("are deleted when another person signs in", async () => {
    const page = await openStored();
    const [name] = (await stored(page)).names;
    // Signs in without the client, as another program on this computer could.
    const answer = await page.request.post(site.url("/auth/login"), {
      headers: { origin: new URL(site.url()).origin },
      data: { email: "member@demo.test", password },
    });
    expect(answer.status()).toBe(200);
    await page.goto(site.url("/projects"));
    await page.getByRole("button", { name: "Account of Mia Member" }).waitFor();
    await expect.poll(async () => (await stored(page)).names.length).toBe(1);
    const after = await stored(page);
    expect(after.names).not.toContain(name);
    expect(after.urls.length).toBeLessThan(2);
  });

  test("need consent to functional storage, and are deleted with the service worker when it is withdrawn", async () => {
    const page = await openMembers("owner@demo.test", ["essential"]);
    expect(await stored(page)).toEqual({ ...nothing, workers: 0 });

    const allowed = await openStored();
    await allowed.getByRole("contentinfo").getByRole("button", { name: "Cookie settings" }).click();
    await allowed.getByText("svc_pictures").waitFor({ state: "attached" });
    await allowed.getByRole("button", { name: "Reject All" }).click();
    await expect.poll(() => stored(allowed)).toEqual({ ...nothing, workers: 0 });
    loaded = [];
    await allowed.reload();
    await shown(allowed);
    expect(await stored(allowed)).toEqual({ ...nothing, workers: 0 });
  });

  test("end after seven days", async () => {
    const page = await openStored();
    const expired = await page.evaluate(async () => {
      const [name = ""] = await caches.keys();
      const cache = await caches.open(name);
      const [first, second] = await cache.keys();
      const old = new Date(Date.now() - 7 * 86_400_000 - 1000).toUTCString();
      const gone = `${first?.url.replace(/\d+\.webp$/, "1.webp")}`;
      for (const url of [first?.url ?? "", gone])
        await cache.put(url, new Response("old", { headers: { "content-type": "image/webp", date: old } }));
      return { first: first?.url ?? "", second: second?.url ?? "", gone };
    });
    // Starts the worker again, as browsers do after a while.
    const devTools = await page.context().newCDPSession(page);
    await devTools.send("ServiceWorker.enable");
    await devTools.send("ServiceWorker.stopAllWorkers");
    loaded = [];
    await page.reload();
    await shown(page);
    expect(loaded.map((key) => expired.first.endsWith(key))).toEqual([true]);
    await expect.poll(async () => (await stored(page)).urls).not.toContain(expired.gone);
    const { urls } = await stored(page);
    expect([urls.includes(expired.first), urls.includes(expired.second)]).toEqual([true, true]);
  });

  test("are only pictures of the avatar bucket", async () => {
    const page = await openStored();
    const before = await stored(page);
    const webp = await Pictures.webp({ width: 9, height: 9 });
    const keys = [
      "avatars/usr_x/1.webp",
      "avatars/usr_x/2.webp",
      "reports/usr_x/3.webp",
      "avatars/usr_x/4.webp",
    ];
    for (const [at, key] of keys.entries())
      await avatarBucket().put(key, webp, { contentType: at === 1 ? "image/png" : "image/webp" });
    const storage = Config.storage();
    const [good = "", ...others] = signGet(signer(storage), storage.bucketAvatars, keys, new Date());
    const [, , fetched = ""] = others;
    const forged = good.replace("/1.webp", "/5.webp");
    const show = (url: string) =>
      page.evaluate(
        (src) =>
          new Promise<string>((resolve) => {
            const image = Object.assign(new Image(), {
              onload: () => resolve("load"),
              onerror: () => resolve("error"),
            });
            image.src = src;
          }),
        url,
      );
    expect(await show(others[0] ?? "")).toBe("load");
    expect(await show(others[1] ?? "")).toBe("load");
    expect(await show(forged)).toBe("error");
    expect(await page.evaluate(async (url) => (await fetch(url)).status, fetched)).toBe(200);
    expect(await show(site.url("/icon.svg"))).toBe("load");
    expect(await show(good)).toBe("load");
    await expect.poll(async () => (await stored(page)).urls.length).toBe(members + 1);
    expect((await stored(page)).urls.filter((url) => !before.urls.includes(url))).toEqual([
      good.replace(/\?.*/, ""),
    ]);
    expectErrors(page, /403/);
  });
});
