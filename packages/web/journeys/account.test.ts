import { app } from "@svc/core/testing/factors";
import { jpeg } from "@svc/core/testing/pictures";
import { expect } from "vitest";
import { expectTroubles, linkToken, startSite, test } from "../testing/browser.ts";

const site = startSite();
const email = "grace@account.test";
const passPhrase = "an unlikely pass phrase";

test("sign up, open the account by the mail, upload a picture, see it in the team, add an app, sign out, sign in with it", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/register"));
  await page.getByLabel("Name").fill("Grace Hopper");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(passPhrase);
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("heading", { name: "Look into your mail" }).waitFor();
  await page.goto(site.url(`/verify-email#token=${linkToken(site.server(), email)}`));
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
  await page.getByText("This is your picture now.").waitFor();
  await page.getByRole("link", { name: "Team members" }).click();
  const picture = page.getByRole("list", { name: /^Members of/ }).locator("img");
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(400);
  expect(await picture.getAttribute("src")).toMatch(/X-Amz-Signature=/);

  await account.click();
  await page.getByRole("menuitem", { name: "Security", exact: true }).click();
  await page.getByRole("button", { name: "Set up an app" }).click();
  await page.getByLabel("Password", { exact: true }).fill(passPhrase);
  await page.keyboard.press("Enter");
  await page.getByText("Type it instead").click();
  const secret = (await page.locator("code.secret").textContent())?.replaceAll(" ", "") ?? "";
  const codes = app(secret);
  await page.getByLabel("Code", { exact: true }).fill(codes.code(0));
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Backup codes" }).waitFor();
  expect(await page.getByRole("list", { name: "Backup codes" }).getByRole("listitem").count()).toBe(12);
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByText("Two factors are on.").waitFor();
  expectTroubles(page, /403/);

  await account.click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(passPhrase);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Second step" }).waitFor();
  await page.getByLabel("Code", { exact: true }).fill(codes.code(1));
  await page.keyboard.press("Enter");
  await account.waitFor();
});
