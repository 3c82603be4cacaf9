import { app } from "@svc/core/testing/factors";
import { jpeg } from "@svc/core/testing/pictures";
import { expect } from "vitest";
import { expectErrors, linkToken, startSite, test } from "../testing/browser.ts";

const site = startSite();
const email = "grace@account.test";
const passphrase = "an unlikely pass phrase";

test("a user signs up, uploads a picture, sets up an authenticator app and signs in with it", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/register"));
  await page.getByLabel("Name").fill("Grace Hopper");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(passphrase);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.goto(site.url(`/verify-email#token=${linkToken(site.server(), email)}`));
  await page.getByLabel("Password").fill(passphrase);
  await page.keyboard.press("Enter");
  const account = page.getByRole("button", { name: "Account of Grace Hopper" });
  await account.click();

  await page.getByRole("menuitem", { name: "Profile" }).click();
  await page.locator("input[type=file]").setInputFiles({
    name: "me.jpg",
    mimeType: "image/jpeg",
    buffer: await jpeg({ width: 600, height: 400 }),
  });
  await page.getByRole("img", { name: /^Preview/ }).waitFor();
  await page.getByRole("button", { name: "Use this picture" }).click();
  await page.getByText("Picture updated.").waitFor();
  await page.getByRole("link", { name: "Team members" }).click();
  const picture = page.getByRole("list", { name: /^Members of/ }).locator("img");
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(96);
  expect(await picture.getAttribute("src")).toMatch(/X-Amz-Signature=/);

  await account.click();
  await page.getByRole("menuitem", { name: "Security", exact: true }).click();
  await page.getByRole("button", { name: "Set up app" }).click();
  await page.getByLabel("Password", { exact: true }).fill(passphrase);
  await page.keyboard.press("Enter");
  await page.getByText("Enter the key manually").click();
  const secret = (await page.locator("code.secret-text").textContent())?.replaceAll(" ", "") ?? "";
  const codes = app(secret);
  await page.getByLabel("Code", { exact: true }).fill(codes.code(0));
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Backup codes" }).waitFor();
  expect(await page.getByRole("list", { name: "Backup codes" }).getByRole("listitem").count()).toBe(12);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await page.getByText("Two-factor authentication is on.").waitFor();
  expectErrors(page, /403/);

  await account.click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(passphrase);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Two-factor authentication" }).waitFor();
  await page.getByLabel("Code", { exact: true }).fill(codes.code(1));
  await page.keyboard.press("Enter");
  await account.waitFor();
});
