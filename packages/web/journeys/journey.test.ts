import { readFile } from "node:fs/promises";
import * as Clock from "@svc/core/base/clock";
import { password } from "@svc/local/demo";
import { afterEach, expect } from "vitest";
import { chooseOption, startSite, test } from "../testing/browser.ts";
import { startTimer, timerBar } from "../testing/timer.ts";

const site = startSite();
afterEach(() => Clock.reset());

test("a user signs in, tracks time, exports a report of it and archives the project", async () => {
  const page = await site.open({ consent: ["essential", "functional"] });
  await page.goto(site.url("/login"));
  await page.getByLabel("Email").fill("admin@demo.test");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Home" }).waitFor();

  await startTimer(page, "Journey", "Internal");
  Clock.advance(45 * 60);
  await timerBar(page).getByRole("button", { name: "Stop", exact: true }).click();
  await timerBar(page).getByRole("button", { name: "Start", exact: true }).waitFor();
  await page
    .getByRole("list", { name: "Today’s entries" })
    .getByText(/^0:45(:\d\d)?$/)
    .waitFor();

  await page.getByRole("link", { name: "Reports", exact: true }).click();
  await page.getByText("More filters").click();
  await chooseOption(page, "Person", "Adam Admin");
  await chooseOption(page, "Project", "Internal");
  await page.getByLabel("Group by").selectOption("day");
  const today = new Date().toISOString().slice(0, 10);
  await page.getByRole("row", { name: new RegExp(`^${today}.*0:45`) }).waitFor();
  await page.getByRole("button", { name: "Export as" }).click();
  await page.getByRole("menuitemradio", { name: "All entries" }).click();
  await page.getByRole("button", { name: "Export as" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "CSV", exact: true }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toContain("Journey");

  await page.getByRole("link", { name: "Projects", exact: true }).click();
  await page.getByRole("link", { name: "Internal" }).click();
  await page.getByRole("button", { name: "Archive project" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Archive project" }).click();
  await page.getByText(/^Archived on/).waitFor();
  await page.getByRole("link", { name: "Reports", exact: true }).click();
  await page
    .getByRole("row", { name: /^Internal/ })
    .first()
    .waitFor();
});
