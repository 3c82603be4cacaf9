import { password } from "@svc/local/demo";
import { expect } from "vitest";
import { fillDate, linkToken, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("every page of a new user has the time zone and formats of the browser in which they signed up", async () => {
  const region = { locale: "de-CH", timezoneId: "Europe/Zurich" };
  const page = await site.open({ consent: ["essential", "functional"], ...region });
  const email = `heidi-${Date.now()}@web.test`;
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

  const profile = await (await page.request.get(site.url("/user/profile"))).json();
  expect(profile).toMatchObject({ locale: "de-CH", timezone: "Europe/Zurich", dateFormat: "DD.MM.YYYY" });
  await page.goto(site.url("/time-entries"));
  await page.getByRole("button", { name: "Add entry" }).click();
  const adding = page.getByRole("dialog", { name: "Add entry" });
  const today = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Zurich" }).format(new Date());
  await fillDate(adding, "Start", `${today}T06:22`);
  await fillDate(adding, "End", `${today}T07:00`);
  await adding.getByText("Times in Europe/Zurich").waitFor();
  await adding.getByLabel("Description").fill("Early");
  await adding.getByRole("button", { name: "Add entry" }).click();
  await page.getByText("Entry added.").waitFor();
  const list = await (await page.request.get(site.url("/api/v1/time-entries?q=Early"))).json();
  const start = new Date(list.data[0].startedAt);
  expect(new Intl.DateTimeFormat("sv", { timeZone: "Europe/Zurich", timeStyle: "short" }).format(start)).toBe(
    "06:22",
  );

  await page.getByRole("list", { name: "Time entries" }).getByText("06:22").first().waitFor();
  await page.getByRole("button", { name: /^Actions for Early/ }).click();
  await page.getByRole("menuitem", { name: /^Edit/ }).click();
  const hour = page.getByRole("group", { name: "Start" }).locator('[data-type="hour"]');
  await expect.poll(() => hour.textContent()).toBe("06");
  await page.keyboard.press("Escape");

  await page.goto(site.url("/"));
  await page.getByRole("list", { name: "Today’s entries" }).getByText("06:22").first().waitFor();
});
