import { categories, categoryOf } from "@svc/core/consent/policy";
import { sample } from "@svc/core/testing/sample";
import { hasBrowser } from "@svc/local/testing/chromium";
import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { pages } from "../src/shell/pages.ts";
import { startSite, test, type Watched } from "../testing/browser.ts";
import { examplePaths } from "../testing/example-paths.ts";

/** Checks that apply to every page. */
const site = startSite();

let pathOf: (path: string) => string;
beforeAll(async () => {
  if (hasBrowser) pathOf = await examplePaths();
});

const paths = (kind: "public" | "member") =>
  pages.filter((page) => (page.public === true) === (kind === "public")).map(({ path }) => path);

/** Returns the unique names of all visible interactive elements. */
const interactive = (page: Page) => page.evaluate(() => window.interactive());

/** Presses Tab and returns the focused element and whether its focus ring is visible; undefined after the last element. */
async function tab(page: Page) {
  await page.keyboard.press("Tab");
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return undefined;
    // The parts of a date field are filled, and the field around them shows the ring.
    const { outlineStyle, outlineWidth } = getComputedStyle(focused.closest(".date-picker-box") ?? focused);
    const visible = outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    return { name: window.nameOf(focused), visible };
  });
}

declare global {
  interface Window {
    nameOf: (element: Element) => string;
    interactive: () => string[];
    cookiesWritten: string[];
  }
}

/** Runs in the page: defines the helpers and records the name of each cookie that a script writes. */
function prepare(): void {
  window.nameOf = (element) => {
    const { tagName, textContent, id } = element as HTMLElement;
    const label = element.getAttribute("aria-label") ?? element.getAttribute("name");
    return `${tagName} ${label ?? textContent?.trim().slice(0, 80) ?? ""} ${label || textContent ? "" : id}`.trim();
  };
  window.interactive = () => {
    const all = document.querySelectorAll(
      "a[href], button, input, select, textarea, summary, [tabindex='0']",
    );
    const reachable = [...all].filter(
      (one) =>
        (one as HTMLElement).tabIndex >= 0 &&
        !(one as HTMLButtonElement).disabled &&
        !(one instanceof HTMLInputElement && one.type === "radio" && !one.checked) &&
        one.checkVisibility({ visibilityProperty: true }),
    );
    return [...new Set(reachable.map(window.nameOf))];
  };
  window.cookiesWritten = [];
  const own = Object.getOwnPropertyDescriptor(Document.prototype, "cookie") as Required<PropertyDescriptor>;
  Object.defineProperty(document, "cookie", {
    get: () => own.get.call(document),
    set(text: string) {
      window.cookiesWritten.push(text.split("=")[0] as string);
      own.set.call(document, text);
    },
  });
}

/** Enough presses of Tab for any page. Date fields have several tab stops. */
const maxPresses = 500;

async function walk(page: Watched): Promise<void> {
  const expected = await interactive(page);
  const reached = new Set<string>();
  const invisible = new Set<string>();
  for (let press = 0; press < maxPresses; press++) {
    const stop = await tab(page);
    if (!stop) break;
    reached.add(stop.name);
    if (!stop.visible) invisible.add(stop.name);
  }
  expect([...invisible], `${page.url()}: focus ring not visible`).toEqual([]);
  expect(
    expected.filter((name) => !reached.has(name)),
    `${page.url()}: not reachable by Tab`,
  ).toEqual([]);
}

test("every interactive element of a page is reachable by Tab and shows a focus ring", {
  timeout: 240_000,
}, async () => {
  const visitor = await site.open({ consent: ["essential"] });
  await visitor.addInitScript(prepare);
  for (const path of sample(paths("public"), 2)) {
    await visitor.goto(site.url(path), { waitUntil: "networkidle" });
    await walk(visitor);
  }
  const page = await site.openAs("owner@demo.test", "/login");
  await page.addInitScript(prepare);
  for (const path of sample(paths("member"), 4)) {
    await page.goto(site.url(pathOf(path)), { waitUntil: "networkidle" });
    await walk(page);
  }
});

/** The pages on which people spend their time. */
const mainPages = [
  "/login",
  "/",
  "/time-entries",
  "/projects",
  "/reports",
  "/custom-reports",
  "/members",
  "/teams",
  "/currencies",
  "/settings/preferences",
];

/** An element that Tab has reached: the part of the frame, and for an element that scrolls with the page, where it is. */
type Stop = {
  name: string;
  part: number;
  place?: { left: number; right: number; top: number; bottom: number };
};

/** Presses Tab and returns the focused element; undefined after the last one. */
async function nextStop(page: Page): Promise<Stop | undefined> {
  await page.keyboard.press("Tab");
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return undefined;
    const parts = [".skip-link", ".sidebar, .phone-head", ".timer-place", "main", "footer", ".tab-bar"];
    const stop = { name: window.nameOf(focused), part: parts.findIndex((part) => focused.closest(part)) };
    for (let one: Element | null = focused; one && one.tagName !== "MAIN"; one = one.parentElement)
      if (["fixed", "sticky"].includes(getComputedStyle(one).position)) return stop;
    const { left, right, top, bottom } = focused.getBoundingClientRect();
    return { ...stop, place: { left, right, top: top + scrollY, bottom: bottom + scrollY } };
  });
}

/** Pixels between a label and its field. A link beside the label, such as “Forgot password?”, comes after the field. */
const labelGap = 12;

/** Whether a reader of the page would come to `next` before `stop`: it is in an earlier part, or above and not to the right. */
function isBefore(next: Stop, stop: Stop): boolean {
  if (next.part !== stop.part) return next.part < stop.part;
  if (!next.place || !stop.place) return false;
  return next.place.bottom + labelGap <= stop.place.top && next.place.left < stop.place.right;
}

test.each(
  sample(mainPages, 2).flatMap(
    (path) =>
      [
        [path, 1440],
        [path, 390],
      ] as const,
  ),
)("Tab moves through %s in the order of reading at %i px", async (path, width) => {
  const options = { viewport: { width, height: 900 } };
  const page =
    path === "/login"
      ? await site.open({ consent: ["essential"], ...options })
      : await site.openAs("owner@demo.test", "/login", options);
  await page.addInitScript(prepare);
  await page.goto(site.url(path), { waitUntil: "networkidle" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  const wrong: string[] = [];
  let before = await nextStop(page);
  let stops = 0;
  for (; before && stops < maxPresses; stops++) {
    const next = await nextStop(page);
    if (next && isBefore(next, before)) wrong.push(`${before.name} comes before ${next.name}`);
    before = next;
  }
  expect(wrong).toEqual([]);
  expect(stops).toBeGreaterThan(3);
});

test("a dialog traps the focus and restores it when closed", async () => {
  const page = await site.openAs("owner@demo.test", "/webhooks");
  await page.getByRole("button", { name: "New webhook" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "New webhook" });
  await dialog.getByLabel("project.archived").waitFor();
  const within = () =>
    page.evaluate(() => {
      const focused = document.activeElement;
      return focused === document.body || focused?.closest('[role="dialog"]') !== null;
    });
  for (let press = 0; press < 25; press++) {
    expect(await within()).toBe(true);
    await page.keyboard.press(press < 15 ? "Tab" : "Shift+Tab");
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("New webhook");
});

const documentedStorage = categories.flatMap(({ storage }) => storage.map(({ name }) => name));

test("everything that a page stores is documented, and scripts cannot read any credential", {
  timeout: 120_000,
}, async () => {
  const page = await site.openAs("owner@demo.test", "/login");
  await page.addInitScript(prepare);
  const seen = new Set<string>();
  for (const path of [...sample(paths("member"), 5), ...sample(paths("public"), 2)]) {
    await page.goto(site.url(pathOf(path)), { waitUntil: "networkidle" });
    for (const { name, httpOnly } of await page.context().cookies()) {
      seen.add(name);
      expect(httpOnly, name).toBe(name === "svc_token");
    }
    for (const name of await page.evaluate(() => window.cookiesWritten)) seen.add(name);
    const storage = await page.evaluate(async () => {
      const databases = await indexedDB.databases();
      const workers = await navigator.serviceWorker.getRegistrations();
      const names = await caches.keys();
      const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      const stored = { ...localStorage, ...sessionStorage, keys: keys.flat().map(({ url }) => url) };
      return {
        text: document.cookie + JSON.stringify(stored),
        databases,
        items: Object.keys({ ...localStorage, ...sessionStorage }),
        workers: workers.map(({ active }) => new URL(active?.scriptURL ?? location.href).pathname),
        caches: names.map((name) => name.replace(/:.*/, "")),
      };
    });
    expect(decodeURIComponent(storage.text), path).not.toMatch(/svc_token|eyJ|X-Amz/);
    expect(storage.databases, path).toEqual([]);
    expect(["/picture-worker.js"], path).toEqual(expect.arrayContaining(storage.workers));
    expect(documentedStorage, path).toEqual(expect.arrayContaining([...storage.caches, ...storage.items]));
  }
  expect([...seen].filter((name) => !categoryOf(name))).toEqual([]);
  expect([...seen].sort()).toEqual([
    "svc_cookie_consent",
    "svc_current_unit",
    "svc_current_workspace",
    "svc_current_workspace_data",
    "svc_language",
    "svc_localization_preferences",
    "svc_token",
    "svc_user_locale",
    "svc_user_timezone",
  ]);
});

test("the selected workspace and team are stored in cookies of less than 4 KB", async () => {
  const page = await site.openAs("member@demo.test", "/members");
  await page.getByText("25 members").waitFor();
  const headers = { origin: site.url("").replace(/\/$/, "") };
  // Each of these characters takes 12 bytes in a cookie.
  const name = "🏔".repeat(50);
  const created = await page.request.post(site.url("/workspaces"), { headers, data: { name } });
  const { id } = await created.json();
  const team = await page.request.post(site.url("/team"), {
    headers: { ...headers, "x-workspace-id": id },
    data: { name: "Zebras" },
  });
  const zebras = (await team.json()).id;
  await page.reload();
  const switcher = page.getByRole("button", { name: /^Workspace/ });
  await switcher.click();
  await page.getByRole("menuitemradio", { name }).click();
  await page.getByRole("heading", { name: "Team members", level: 1 }).waitFor();
  await switcher.click();
  await page.getByRole("menuitemradio", { name: "Zebras" }).click();
  const cookies = async () =>
    Object.fromEntries((await page.context().cookies()).map((one) => [one.name, one.value]));
  await expect.poll(cookies).toMatchObject({ svc_current_workspace: id, svc_current_unit: zebras });
  const { svc_current_workspace_data: data = "" } = await cookies();
  expect(JSON.parse(decodeURIComponent(data))).toMatchObject({ id, name, plan: "FREE", role: "owner" });
  expect(data.length).toBeLessThan(4096);
  await page.reload();
  await page.getByText("1 member").waitFor();
  await page.getByRole("button", { name: `Workspace ${name}, team Zebras` }).waitFor();
});
