import { password } from "@svc/local/demo";
import { expect } from "vitest";
import {
  chooseOption,
  expectAccessible,
  expectFits,
  fillDate,
  linkToken,
  startSite,
  test,
  type Watched,
} from "../testing/browser.ts";

const site = startSite();

/** Signs up in a browser of a region, and returns its page on Home. */
async function signUp(region: { locale: string; timezoneId: string }): Promise<Watched> {
  const page = await site.open({ consent: ["essential", "functional"], ...region });
  const email = `heidi-${Math.random().toString(36).slice(2)}@web.test`;
  await page.goto(site.url("/register"));
  await page.getByLabel("Name").fill("Heidi Muster");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.goto(site.url(`/verify-email#token=${linkToken(site.server(), email)}`));
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  return page;
}

/** Calls the API as the user of a page. */
async function call(page: Watched, method: "get" | "post" | "patch", path: string, data?: object) {
  const headers = { origin: site.url("").replace(/\/$/, "") };
  const answer = await page.request[method](site.url(path), { data, headers });
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  return answer.json();
}

/** Returns a day in a time zone, some days from today. */
const dayIn = (timeZone: string, days = 0) =>
  new Intl.DateTimeFormat("sv", { timeZone }).format(Date.now() + days * 86_400_000);

/** Returns a date as `DD.MM.YYYY`. */
const swiss = (day: string) => day.split("-").reverse().join(".");

const zurich = { locale: "de-CH", timezoneId: "Europe/Zurich" };

test.each(["UTC", "America/Los_Angeles"])(
  "an entry made at 06:22 in Zurich reads 06:22 on all pages of its person, in a workspace in %s",
  async (workspaceZone) => {
    const page = await signUp(zurich);
    expect(await call(page, "get", "/user/profile")).toMatchObject({
      locale: "de-CH",
      timezone: "Europe/Zurich",
      dateFormat: "DD.MM.YYYY",
    });
    const note = page.getByText(
      `Times in Europe/Zurich. Reports use the workspace’s time zone, ${workspaceZone.replaceAll("_", " ")}.`,
    );
    expect(await note.count()).toBe(0);
    await call(page, "patch", "/api/v1/workspace", { timezone: workspaceZone });
    const project = await call(page, "post", "/api/v1/projects", { name: "Alp" });

    const today = dayIn("Europe/Zurich");
    await page.goto(site.url("/time-entries"));
    await note.waitFor();
    await page.getByRole("button", { name: "Add entry" }).click();
    const adding = page.getByRole("dialog", { name: "Add entry" });
    await fillDate(adding, "Start", `${today}T06:22`);
    await fillDate(adding, "End", `${today}T07:02`);
    expect(await adding.locator('[data-type="dayPeriod"]').count()).toBe(0);
    await adding.getByText("Duration: 0:40:00. Times in Europe/Zurich.").waitFor();
    await adding.getByLabel("Description").fill("Early");
    await chooseOption(adding, "Project", "Alp");
    await adding.getByRole("button", { name: "Add entry" }).click();
    await page.getByText("Entry added.").waitFor();
    const list = await call(page, "get", "/api/v1/time-entries?q=Early");
    const clock = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Zurich", timeStyle: "short" });
    expect(clock.format(new Date(list.data[0].startedAt))).toBe("06:22");

    // The row, and its time in place.
    const rows = page.getByRole("list", { name: "Time entries" });
    await rows.getByRole("heading", { name: "Today" }).waitFor();
    await rows.getByRole("button", { name: "Start: 06:22. Edit" }).click();
    const start = page.getByRole("textbox", { name: "Start" });
    expect(await start.inputValue()).toBe("06:22");
    await start.fill("6.25");
    await page.keyboard.press("Enter");
    await rows.getByText("06:25").waitFor();
    await rows.getByRole("button", { name: "Start: 06:25. Edit" }).click();
    await start.fill("06:22");
    await page.keyboard.press("Enter");
    await rows.getByText("06:22").waitFor();

    // The dialogs.
    const menu = async (item: RegExp) => {
      await page.getByRole("button", { name: /^Actions for Early/ }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await menu(/^Edit/);
    const field = page.getByRole("group", { name: "Start" });
    await expect.poll(() => field.locator('[data-type="hour"]').textContent()).toBe("06");
    expect(await field.locator('[data-type="minute"]').textContent()).toBe("22");
    await page.keyboard.press("Escape");
    await menu(/^Split/);
    await page
      .getByText(`Between ${swiss(today)}, 06:22 and ${swiss(today)}, 07:02. Times in Europe/Zurich.`)
      .waitFor();
    expect(await page.getByRole("group", { name: "Split at" }).textContent()).toMatch(/06.*42/);
    await page.keyboard.press("Escape");

    await page.goto(site.url("/"));
    await note.waitFor();
    await page.getByRole("list", { name: "Today’s entries" }).getByText("06:22 – 07:02").waitFor();
    await page.goto(site.url(`/projects/${project.id}`));
    await note.waitFor();
    await page.getByText(`${swiss(today)}, 06:22 – 07:02`).waitFor();

    // The timer that was started yesterday.
    const yesterday = dayIn("Europe/Zurich", -1);
    const begun = new Date(`${yesterday}T06:22Z`);
    const offset = Number(new Date(list.data[0].startedAt)) - Date.parse(`${today}T06:22Z`);
    const timer = await call(page, "post", "/api/v1/time-entries/start", { description: "Long" });
    await call(page, "patch", `/api/v1/time-entries/${timer.id}`, {
      startedAt: new Date(begun.getTime() + offset).toISOString(),
    });
    await page.goto(site.url("/"));
    await page.getByRole("button", { name: "Change the start time, now 06:22" }).click();
    const since = page.getByRole("textbox", { name: "Start time" });
    expect(await since.inputValue()).toBe("06:22");
    await page.getByText("For example 9:30. Times in Europe/Zurich.").waitFor();
    await since.fill("6:20");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Change the start time, now 06:20" }).waitFor();
    await call(page, "post", "/api/v1/time-entries/stop");

    // Just after midnight in Zurich it is still yesterday in the zone of the workspace.
    const after = new Date(Number(new Date(list.data[0].startedAt)) - 6 * 3_600_000);
    await call(page, "post", "/api/v1/time-entries", {
      description: "Night",
      startedAt: after.toISOString(),
      endedAt: new Date(after.getTime() + 300_000).toISOString(),
    });
    await page.goto(site.url(`/time-entries?from=${today}&to=${today}`));
    await rows.getByText("00:22").waitFor();
    await rows.getByText("06:22").waitFor();
    expect(await rows.getByRole("heading", { level: 3 }).allTextContents()).toEqual(["Today"]);
    await page.goto(site.url("/"));
    await page.getByRole("list", { name: "Today’s entries" }).getByText("00:22 – 00:27").waitFor();
    await page.getByRole("region", { name: "The week in figures" }).getByText("0:45").first().waitFor();

    // Reports have the days of the workspace, also after a click into their entries.
    await page.goto(site.url(`/reports?period=custom&from=${yesterday}&to=${today}&compare=none`));
    const zone = workspaceZone.replaceAll("_", " ");
    await page.getByText(`days in ${zone}. Your own pages use Europe/Zurich.`, { exact: false }).waitFor();
    await page.getByRole("link", { name: /Alp/ }).first().click();
    await page.getByRole("heading", { name: "Time entries", exact: true }).waitFor();
    await page.getByRole("search").getByText(`(${zone})`).waitFor();
    await rows.getByText("06:22").waitFor();
    await page.getByRole("button", { name: "Remove filter: Dates" }).click();
    await expect.poll(() => new URL(page.url()).search).not.toMatch(/from|to=|timezone/);
  },
);

test("pages that name both time zones fit every width and are accessible", async () => {
  const page = await site.openAs("owner@demo.test", "/projects");
  await page.getByRole("heading", { name: "Projects" }).waitFor();
  await call(page, "patch", "/user/profile", { timezone: "America/Argentina/Buenos_Aires", locale: "en-US" });
  for (const path of ["/", "/time-entries", "/reports"]) {
    await page.goto(site.url(path));
    await page.getByText("America/Argentina/Buenos Aires").first().waitFor();
    await expectAccessible(page);
    await expectFits(page);
  }
});

test("nothing is said about time zones whose clocks show the same time", async () => {
  const page = await signUp(zurich);
  await call(page, "patch", "/api/v1/workspace", { timezone: "Europe/Berlin" });
  for (const path of ["/", "/time-entries", "/reports"]) {
    await page.goto(site.url(path));
    await page.getByRole("button", { name: "Start", exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(await page.getByText("Europe/Zurich").count()).toBe(0);
  }
});

test("a person in New York reads 6:22 AM and weeks from Sunday, until the preferences say otherwise", async () => {
  const page = await signUp({ locale: "en-US", timezoneId: "America/New_York" });
  await call(page, "patch", "/api/v1/workspace", { timezone: "UTC", weekStart: 1 });
  const today = dayIn("America/New_York");
  await page.goto(site.url("/time-entries"));
  await page.getByRole("button", { name: "Add entry" }).click();
  const adding = page.getByRole("dialog", { name: "Add entry" });
  await fillDate(adding, "Start", `${today}T06:22`);
  await fillDate(adding, "End", `${today}T13:02`);
  const halves = adding.locator('[data-type="dayPeriod"]');
  expect(await halves.allTextContents()).toEqual(["AM", "PM"]);
  await adding.getByRole("button", { name: "Calendar" }).first().click();
  const weekdays = page.getByRole("grid").getByRole("columnheader", { includeHidden: true });
  expect((await weekdays.allTextContents())[0]).toMatch(/^Su/);
  await page.keyboard.press("Escape");
  await adding.getByLabel("Description").fill("Early");
  await adding.getByRole("button", { name: "Add entry" }).click();
  const rows = page.getByRole("list", { name: "Time entries" });
  await rows.getByRole("button", { name: /^Start: 6:22\sAM\. Edit$/ }).click();
  // The text of the field is read back as it is written.
  await page.getByRole("textbox", { name: "Start" }).fill("6:23 AM");
  await page.keyboard.press("Enter");
  await rows.getByRole("button", { name: /^Start: 6:23\sAM\. Edit$/ }).waitFor();
  await page.goto(site.url("/?week=2026-11-15"));
  const bars = page.getByRole("figure", { name: "Hours per day" }).getByRole("link");
  expect(await bars.first().getAttribute("aria-label")).toMatch(/^Sunday 11\/15\/2026/);
  await page.goto(site.url("/"));
  await expect.poll(() => bars.first().getAttribute("aria-label")).toMatch(/^Sunday/);

  await page.goto(site.url("/settings/preferences"));
  expect(await page.getByLabel("Time format").inputValue()).toBe("12");
  await page.getByLabel("Time format").selectOption({ label: "24-hour" });
  await page.getByLabel("First day of the week").selectOption({ label: "Monday" });
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Preferences saved.").waitFor();
  expect(await call(page, "get", "/user/profile")).toMatchObject({ locale: "en-US-u-fw-mon-hc-h23" });
  await page.getByRole("link", { name: "Time entries" }).first().click();
  await rows.getByRole("button", { name: "Start: 06:23. Edit" }).waitFor();
  await page.getByRole("button", { name: "Add entry" }).click();
  await adding.waitFor();
  expect(await halves.count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Home" }).first().click();
  await page.getByRole("list", { name: "Today’s entries" }).getByText("06:23 – 13:02").waitFor();
  expect(await bars.first().getAttribute("aria-label")).toMatch(/^Monday/);
});

test("the hours that a browser is set to become those of the account", async () => {
  const page = await signUp({ locale: "en-US-u-hc-h23", timezoneId: "America/New_York" });
  expect(await call(page, "get", "/user/profile")).toMatchObject({
    locale: "en-US-u-hc-h23",
    dateFormat: "MM/DD/YYYY",
  });
  await page.goto(site.url("/settings/preferences"));
  expect(await page.getByLabel("Time format").inputValue()).toBe("24");
  expect(await page.getByLabel("First day of the week").inputValue()).toBe("7");
});

test("a day of 25 hours has the time that passed", async () => {
  const page = await signUp(zurich);
  await call(page, "patch", "/api/v1/workspace", { timezone: "UTC" });
  // The clocks were set back from 03:00 to 02:00 at 01:00 UTC.
  for (const [description, startedAt, endedAt] of [
    ["First", "2026-10-24T22:30:00Z", "2026-10-25T00:00:00Z"],
    ["Twice", "2026-10-25T00:15:00Z", "2026-10-25T01:45:00Z"],
    ["Last", "2026-10-25T22:00:00Z", "2026-10-25T22:45:00Z"],
    ["Next", "2026-10-25T23:00:00Z", "2026-10-25T23:30:00Z"],
  ])
    await call(page, "post", "/api/v1/time-entries", { description, startedAt, endedAt });
  await page.goto(site.url("/time-entries?from=2026-10-25&to=2026-10-25"));
  const rows = page.getByRole("list", { name: "Time entries" });
  await rows.getByText("3:45").first().waitFor();
  for (const text of ["00:30", "02:15", "02:45", "23:45"])
    expect(await rows.getByText(text, { exact: true }).count()).toBe(1);
  expect(await rows.getByText("Next").count()).toBe(0);
  const open = async (item: RegExp) => {
    await page.getByRole("button", { name: /^Actions for Twice/ }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await open(/^Edit/);
  await page.getByText("Duration: 1:30:00. Times in Europe/Zurich.").waitFor();
  await page.keyboard.press("Escape");
  await open(/^Split/);
  await page.getByRole("button", { name: "Split entry" }).click();
  await page.getByText("Entry split.").waitFor();
  await expect.poll(() => rows.getByRole("button", { name: "Duration: 0:45. Edit" }).count()).toBe(3);

  await page.goto(site.url("/?week=2026-10-19"));
  const bars = page.getByRole("figure", { name: "Hours per day" }).getByRole("link");
  await expect.poll(() => bars.last().getAttribute("aria-label")).toMatch(/25\.10\.2026: 3:45/);
});

test("a row is locked as the API refuses it: by the days of the workspace", async () => {
  const page = await site.openAs("admin@demo.test", "/projects");
  await page.getByRole("heading", { name: "Projects" }).waitFor();
  await call(page, "patch", "/user/profile", { timezone: "Pacific/Auckland" });
  const locked = dayIn("UTC", -3);
  const next = dayIn("UTC", -2);
  for (const [description, startedAt] of [
    ["Closed", `${locked}T22:00:00Z`],
    ["Open", `${next}T01:00:00Z`],
  ] as const)
    await call(page, "post", "/api/v1/time-entries", {
      description: `${description} Kiwi`,
      startedAt,
      endedAt: startedAt.replace(":00:00Z", ":30:00Z"),
    });
  await call(page, "patch", "/api/v1/workspace", { lockedUntil: locked });
  await page.goto(site.url("/time-entries?q=Kiwi"));
  const rows = page.getByRole("list", { name: "Time entries" });
  // Both are on the same day in Auckland.
  await rows.getByText("Closed Kiwi").waitFor();
  expect(await rows.getByRole("heading", { level: 3 }).count()).toBe(1);
  await rows.getByTitle(`Locked: time until ${locked} (UTC) cannot be changed.`).waitFor();
  expect(await rows.getByRole("button", { name: /^Actions for/ }).count()).toBe(1);
  await rows.getByRole("button", { name: "Actions for Open Kiwi" }).waitFor();
  await call(page, "patch", "/api/v1/workspace", { lockedUntil: null });
});
