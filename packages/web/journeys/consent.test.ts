import { categories, policyVersion } from "@svc/core/consent/policy";
import { db } from "@svc/core/platform/db/engine";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { cookieNames, startSite, test, type Watched } from "../testing/browser.ts";
import { timerBar } from "../testing/timer.ts";

const analyticsId = "G-TEST123456";
const site = startSite({ ANALYTICS_ID: analyticsId });

const documented = categories.flatMap(({ cookies }) => cookies.map(({ name }) => name));
const isDocumented = (name: string) =>
  documented.includes(name) ||
  documented.some((one) => one.endsWith("*") && name.startsWith(one.slice(0, -1)));
const essential = ["svc_cookie_consent", "svc_language"];
const functional = [
  "svc_user_locale",
  "svc_user_timezone",
  "svc_localization_preferences",
  "svc_sidebar_collapsed",
  "svc_theme",
];
const analytics = ["_ga", "_ga_TEST123456", "_gid"];

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const banner = (page: Page) => page.getByRole("region", { name: "Cookies" });

/** A fake of Google's script. It sets the same cookies repeatedly and sends no requests. */
const fakeScript = `
  const set = () => { for (const name of ["_ga", "_gid", "_ga_TEST123456"]) document.cookie = name + "=GA1.1.1; Path=/"; };
  set();
  setInterval(set, 300);`;

/** Opens a page with the fake script and records its requests. */
async function open(
  options: Parameters<typeof site.open>[0] = {},
): Promise<Watched & { requests: string[] }> {
  const page = Object.assign(await site.open(options), { requests: [] as string[] });
  await fakeAnalytics(page);
  return page;
}

async function fakeAnalytics(page: Watched & { requests: string[] }): Promise<void> {
  await page.context().route("https://www.googletagmanager.com/**", (route) => {
    page.requests.push(route.request().url());
    return route.fulfill({ contentType: "text/javascript", body: fakeScript });
  });
}

/** Returns the consent states that the page passed to Google's script, in order. */
const consentStates = (page: Page, verb: string) =>
  page.evaluate(
    (expected) =>
      ((window as { dataLayer?: IArguments[] }).dataLayer ?? [])
        .map((one) => [...one])
        .filter(([command, kind]) => command === "consent" && kind === expected)
        .map(([, , states]) => states as Record<string, string>),
    verb,
  );

/** Waits until the server has recorded the choice, and returns the id of the consent record from the cookie. */
async function recorded(page: Page): Promise<string> {
  const stored = async () => {
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === "svc_cookie_consent");
    return JSON.parse(decodeURIComponent(cookie?.value ?? "{}")).proof as string | undefined;
  };
  await expect.poll(stored).toMatch(/^con_/);
  return (await stored()) ?? "";
}

const proofOf = (id: string) =>
  db().selectFrom("consents").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

/** Ignores the requests for Google's script, which the visitor has allowed. */
function ignoreAnalyticsRequests(page: Watched): void {
  page.errors.splice(
    0,
    page.errors.length,
    ...page.errors.filter((one) => !one.includes("googletagmanager")),
  );
}

describe("The cookie banner on the first visit", () => {
  test("shows three buttons of equal weight, sets no optional cookies and denies Google's defaults", async () => {
    const page = await open();
    await page.goto(site.url("/login"));
    await banner(page).waitFor();
    const looks = await Promise.all(
      ["Accept All", "Reject All", "Cookie Settings"].map((name) =>
        banner(page)
          .getByRole("button", { name })
          .evaluate((one) => {
            const { width, height } = one.getBoundingClientRect();
            const { color, backgroundColor, fontSize, fontWeight, borderColor } = getComputedStyle(one);
            return { width, height, color, backgroundColor, fontSize, fontWeight, borderColor };
          }),
      ),
    );
    expect(looks[1]).toEqual(looks[0]);
    expect(looks[2]).toEqual(looks[0]);
    expect(await cookieNames(page)).toEqual(["svc_language"]);
    expect(page.requests).toEqual([]);
    expect(await consentStates(page, "default")).toMatchObject([
      {
        ad_storage: "denied",
        ad_user_data: "denied",
        ad_personalization: "denied",
        analytics_storage: "denied",
      },
    ]);
  });

  test("stays when the settings are closed without a choice", async () => {
    const page = await open();
    await page.goto(site.url("/login"));
    await banner(page).getByRole("button", { name: "Cookie Settings" }).click();
    await page.getByRole("dialog", { name: "Cookie settings" }).waitFor();
    await page.keyboard.press("Escape");
    await banner(page).waitFor();
    expect(await cookieNames(page)).toEqual(["svc_language"]);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Cookie Settings");
  });
});

describe("The cookie choice", () => {
  test("allows and records all categories after Accept All, and is retained after a reload", async () => {
    const page = await open();
    await page.goto(site.url("/login"));
    await button(page, "Accept All").click();
    await banner(page).waitFor({ state: "detached" });
    expect(await proofOf(await recorded(page))).toMatchObject({
      policy_version: policyVersion,
      categories: "essential,functional,analytics,marketing",
      action: "accept_all",
    });
    await expect.poll(() => cookieNames(page)).toEqual([...analytics, ...essential].sort());
    expect((await consentStates(page, "update")).at(-1)).toMatchObject({ analytics_storage: "granted" });
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await banner(page).count()).toBe(0);
    expect(page.requests).toHaveLength(2);
    ignoreAnalyticsRequests(page);
  });

  test("Reject All allows only essential cookies and never loads Google's script", async () => {
    const page = await open();
    await page.goto(site.url("/login"));
    await button(page, "Reject All").click();
    expect(await proofOf(await recorded(page))).toMatchObject({
      categories: "essential",
      action: "reject_all",
    });
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await banner(page).count()).toBe(0);
    expect(await cookieNames(page)).toEqual(essential);
    expect(page.requests).toEqual([]);
  });

  test.each(["Functional", "Analytics", "Marketing"])(
    "allows only %s cookies besides the essential ones when only that category is chosen",
    async (name) => {
      const page = await open();
      await page.goto(site.url("/login"));
      await banner(page).getByRole("button", { name: "Cookie Settings" }).click();
      await page.getByRole("checkbox", { name }).check();
      await button(page, "Save choice").click();
      const proof = await proofOf(await recorded(page));
      expect([proof.categories, proof.action]).toEqual([`essential,${name.toLowerCase()}`, "custom"]);
      const expected = name === "Analytics" ? [...analytics, ...essential].sort() : essential;
      await expect.poll(() => cookieNames(page)).toEqual(expected);
      expect(page.requests).toHaveLength(name === "Analytics" ? 1 : 0);
      ignoreAnalyticsRequests(page);
    },
  );

  test("cannot turn off essential cookies", async () => {
    const page = await open();
    await page.goto(site.url("/login"));
    await banner(page).getByRole("button", { name: "Cookie Settings" }).click();
    const box = page.getByRole("checkbox", { name: /^Essential/ });
    expect([await box.isChecked(), await box.isDisabled()]).toEqual([true, true]);
  });
});

test("turning off a category deletes its cookies immediately and keeps them deleted while a script sets them again", async () => {
  const page = Object.assign(await site.openAs("owner@demo.test", "/login", { consent: ["essential"] }), {
    requests: [] as string[],
  });
  await fakeAnalytics(page);
  await page.context().clearCookies({ name: "svc_cookie_consent" });
  await page.clock.install();
  await page.goto(site.url("/members"));
  await page.getByText("25 members").waitFor();
  await button(page, "Accept All").click();
  await page.getByRole("button", { name: "Collapse sidebar" }).click();
  await page.getByRole("button", { name: "Theme: System" }).click();
  await page.getByRole("menu").getByText("Dark", { exact: true }).click();
  await expect.poll(() => cookieNames(page)).toEqual(expect.arrayContaining([...functional, ...analytics]));

  await page.getByRole("contentinfo").getByRole("button", { name: "Cookie settings" }).click();
  await page.getByRole("checkbox", { name: "Functional" }).uncheck();
  await page.getByRole("checkbox", { name: "Analytics" }).uncheck();
  await button(page, "Save choice").click();
  await recorded(page);
  expect((await consentStates(page, "update")).at(-1)).toMatchObject({ analytics_storage: "denied" });

  await page.getByRole("button", { name: "Expand sidebar" }).click();
  await page.clock.runFor(60_000);
  await page.getByRole("link", { name: "Preferences" }).click();
  await page.getByRole("heading", { name: "Language and region" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Language and region" }).waitFor();
  await page.clock.runFor(2000);
  const names = await cookieNames(page);
  expect(names.filter((name) => [...functional, ...analytics].includes(name))).toEqual([]);
  expect(names.filter((name) => !isDocumented(name))).toEqual([]);
  ignoreAnalyticsRequests(page);
});

describe("What the client stores in the browser", () => {
  /** Returns the names of all cookies and of everything in the stores of the browser, sorted. */
  const storedBy = async (page: Page): Promise<string[]> => {
    const stores = await page.evaluate(async () => [
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
      ...(await caches.keys()),
      ...(await indexedDB.databases()).map(({ name }) => name ?? ""),
    ]);
    return [...(await cookieNames(page)), ...stores].sort();
  };

  /** Returns the category that lists a name. The name of a cache of pictures ends with an id. */
  const listedIn = (name: string) =>
    categories.find(({ cookies, storage }) =>
      [...cookies, ...storage].some((one) => name === one.name || name.startsWith(`${one.name}:`)),
    )?.id ?? `not listed: ${name}`;

  /** Uses everything that stores something: theme, sidebar, shortcuts, drafts, the timer bar and pictures. */
  async function useAll(page: Page): Promise<void> {
    await page.getByRole("button", { name: /^Theme:/ }).click();
    await page.getByRole("menu").getByText("Dark", { exact: true }).click();
    await page.getByRole("button", { name: "Collapse sidebar" }).click();
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await page.getByLabel("Use keyboard shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await timerBar(page).getByLabel("What are you working on?").fill("Half a task");
    await page.getByRole("link", { name: "Profile" }).first().click();
    await page.getByLabel("Title", { exact: true }).fill("Half a title");
    await page.getByRole("link", { name: "Team members" }).click();
    await page.getByText("25 members").waitFor();
    await page.waitForLoadState("networkidle");
  }

  async function openFresh(): Promise<Watched> {
    const page = await site.openAs("member@demo.test", "/login", { consent: ["essential"] });
    await page.context().clearCookies({ name: "svc_cookie_consent" });
    await page.goto(site.url("/"));
    await banner(page).waitFor();
    return page;
  }

  test("is essential before a choice and after Reject All, and is listed in the settings", async () => {
    const page = await openFresh();
    await useAll(page);
    expect(await storedBy(page)).toContain("svc_drafts");
    expect(new Set((await storedBy(page)).map(listedIn))).toEqual(new Set(["essential"]));
    await button(page, "Reject All").click();
    await banner(page).waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("25 members").waitFor();
    await page.waitForLoadState("networkidle");
    expect(new Set((await storedBy(page)).map(listedIn))).toEqual(new Set(["essential"]));
    await page.getByRole("contentinfo").getByRole("button", { name: "Cookie settings" }).click();
    const settings = await page.getByRole("dialog", { name: "Cookie settings" }).textContent();
    for (const { cookies, storage } of categories)
      for (const { name } of [...cookies, ...storage]) expect(settings).toContain(name);
  });

  test("is also functional with consent, and ends when that is withdrawn", async () => {
    const page = await openFresh();
    await banner(page).getByRole("button", { name: "Cookie Settings" }).click();
    await page.getByRole("checkbox", { name: "Functional" }).check();
    await button(page, "Save choice").click();
    await banner(page).waitFor({ state: "detached" });
    await useAll(page);
    const functionalNames = async () =>
      (await storedBy(page)).filter((name) => listedIn(name) !== "essential");
    await expect
      .poll(functionalNames)
      .toEqual(
        expect.arrayContaining(["svc_shortcuts", "svc_sidebar_collapsed", "svc_theme", "svc_user_locale"]),
      );
    expect((await functionalNames()).map(listedIn).filter((id) => id !== "functional")).toEqual([]);

    await page.getByRole("contentinfo").getByRole("button", { name: "Cookie settings" }).click();
    await page.getByRole("checkbox", { name: "Functional" }).uncheck();
    await button(page, "Save choice").click();
    await expect.poll(functionalNames).toEqual([]);
    expect(await storedBy(page)).toContain("svc_drafts");
  });
});

test("cookies that Google set for the parent domain are deleted too", async () => {
  const page = await open({ consent: ["essential"] });
  const parentCookies = analytics.map((name) => ({ name, value: "1", domain: ".svc.localhost", path: "/" }));
  await page.context().addCookies(parentCookies);
  expect(await cookieNames(page)).toEqual(expect.arrayContaining(analytics));
  await page.goto(`http://app.svc.localhost:${new URL(site.url()).port}/login`);
  await banner(page).waitFor();
  await expect
    .poll(() => cookieNames(page))
    .not.toEqual(expect.arrayContaining([expect.stringMatching(/^_g/)]));
  // The page uses a different host name, so its own requests are recorded as external until it is left.
  await page.goto("about:blank");
  page.errors.length = 0;
});

describe("The cookie banner after a choice", () => {
  const ask = async (change: (choice: Record<string, unknown>) => void) => {
    const page = await open({ consent: ["essential"] });
    const [cookie] = await page.context().cookies();
    const choice = JSON.parse(decodeURIComponent(cookie?.value ?? ""));
    change(choice);
    await page
      .context()
      .addCookies([
        { name: "svc_cookie_consent", value: encodeURIComponent(JSON.stringify(choice)), url: site.url() },
      ]);
    await page.goto(site.url("/login"));
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    return banner(page).count();
  };

  test("is not shown while the choice is valid", async () => expect(await ask(() => {})).toBe(0));
  test("is shown after a new version of the policy", async () =>
    expect(await ask((choice) => Object.assign(choice, { policyVersion: "2025-01-01" }))).toBe(1));
  test("is shown when the cookie holds an invalid choice", async () =>
    expect(await ask((choice) => Object.assign(choice, { categories: "all" }))).toBe(1));

  test.each([
    [0, 181],
    [1, 182],
  ])("is shown %i times after %i days", async (shown, days) => {
    const page = await open();
    await page.clock.install();
    await page.goto(site.url("/login"));
    await button(page, "Reject All").click();
    await banner(page).waitFor({ state: "detached" });
    await page.clock.fastForward(days * 86_400_000);
    await expect.poll(() => banner(page).count()).toBe(shown);
  });
});

test("the footer and the preferences page open the same cookie settings", async () => {
  const page = await site.openAs("owner@demo.test", "/settings/preferences");
  const texts: (string | null)[] = [];
  for (const name of ["Cookie settings", "Cookie Preferences"]) {
    await button(page, name).click();
    const dialog = page.getByRole("dialog", { name: "Cookie settings" });
    texts.push(await dialog.textContent());
    expect(await dialog.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });
  }
  expect(texts[1]).toBe(texts[0]);
});

test("Sec-GPC: 1 refuses analytics and marketing cookies even after Accept All", async () => {
  const page = await open({ extraHTTPHeaders: { "sec-gpc": "1" } });
  await page.goto(site.url("/login"));
  await button(page, "Accept All").click();
  expect(await proofOf(await recorded(page))).toMatchObject({
    categories: "essential,functional",
    global_privacy_control: true,
  });
  expect(page.requests).toEqual([]);
  await page.getByRole("button", { name: "Cookie settings" }).click();
  await page.getByText("Global Privacy Control").waitFor();
  const boxes = ["Analytics", "Marketing"].map((name) => page.getByRole("checkbox", { name }).isDisabled());
  expect(await Promise.all(boxes)).toEqual([true, true]);
  expect(await cookieNames(page)).toEqual(essential);
});

test("the content security policy allows Google's script but no inline scripts", async () => {
  const page = await open({ consent: ["essential"] });
  const answer = await page.goto(site.url("/login"));
  const policy = answer?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("script-src 'self' https://www.googletagmanager.com;");
  expect(policy).not.toContain("unsafe");
});
