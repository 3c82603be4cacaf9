import { readFile } from "node:fs/promises";
import { password } from "@svc/local/demo";
import { expect } from "vitest";
import { expectAccessible, expectTroubles, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("a passkey is added after the password, comes with backup codes, which are renewed; and is removed", async () => {
  const page = await site.openAs("ines.novak@demo.test", "/settings/security", { acceptDownloads: true });
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole("button", { name: "Add a passkey…" }).click();
  await page.getByLabel("Name").fill("Laptop");
  await page.getByRole("button", { name: "Ask my device" }).click();
  const asked = page.getByRole("dialog", { name: "Your password, please" });

  // Who would rather not has changed nothing, and keeps what was typed.
  await asked.waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("alert").getByText("Nothing was changed").waitFor();
  expect(await page.getByLabel("Name").inputValue()).toBe("Laptop");
  await page.getByRole("button", { name: "Ask my device" }).click();
  await asked.getByLabel("Password").fill("not this one");
  await page.keyboard.press("Enter");
  await asked.getByText("not right").waitFor();
  await asked.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  const codes = page.getByRole("list", { name: "Backup codes" }).getByRole("listitem");
  await codes.first().waitFor();
  expectTroubles(page, /403/, /403/, /403/);
  const first = await codes.allTextContents();
  expect(first).toHaveLength(12);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toBe(`${first.join("\n")}\n`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByText("12 left").waitFor();

  await page.getByRole("button", { name: "Make new codes…" }).click();
  await page.getByRole("button", { name: "Make new codes", exact: true }).click();
  await codes.first().waitFor();
  expect(await codes.allTextContents()).not.toContain(first[0]);
  await page.getByRole("button", { name: "I have kept them" }).click();

  await page.getByRole("button", { name: "Remove Laptop" }).click();
  await page.getByRole("button", { name: "Remove it" }).click();
  await page.getByText("Two factors are off.").waitFor();
});

test("sessions, devices, idle time, sign-ins and tokens are looked at and changed", async () => {
  const email = "hugo.alvarez@demo.test";
  const page = await site.openAs(email, "/settings/security");
  const elsewhere = await site.openAs(email, "/members");
  await elsewhere.getByText("25 people").waitFor();
  await page.getByRole("tab", { name: "Sessions and devices" }).click();
  const sessions = page.getByRole("region", { name: "Sessions" });
  await sessions.getByText("this one").waitFor();
  await page.getByRole("button", { name: "End all others…" }).click();
  await page.getByRole("button", { name: "End them" }).click();
  await page.getByText("All other sessions are over.").waitFor();
  await expect.poll(() => sessions.getByRole("listitem").count()).toBe(1);
  await elsewhere.reload();
  await elsewhere.getByRole("heading", { name: "Sign in" }).waitFor();
  expectTroubles(elsewhere, /401/);

  const devices = page.getByRole("region", { name: "Known devices" });
  const [mine] = await devices.getByRole("listitem").filter({ hasText: "this one" }).all();
  await mine?.getByRole("button", { name: /^Rename/ }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("My own machine");
  await page.keyboard.press("Enter");
  await devices.getByText("My own machine").waitFor();
  await page.getByLabel("Sign me out").selectOption("30 minutes");
  await page.getByLabel("Mail me").uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Your security settings are saved.").waitFor();
  const settings = await page.request.get(site.url("/user/security"));
  expect(await settings.json()).toEqual({ idleTimeoutMinutes: 30, loginNotifications: false });
  await expectAccessible(page);

  await page.getByRole("tab", { name: "Login history" }).click();
  await page.getByRole("cell", { name: "Signed in" }).first().waitFor();
  await expectAccessible(page);

  await page.getByRole("tab", { name: "API tokens" }).click();
  await page.getByText("You have no tokens").waitFor();
  await page.getByRole("button", { name: "Make a token" }).click();
  await page.getByLabel("Name").fill("Payroll export");
  await page.getByLabel("Good for").selectOption("365 days");
  await page.getByRole("button", { name: "Make it" }).click();
  const token = (await page.locator("code.secret").textContent()) ?? "";
  const asProgram = () =>
    fetch(site.url("/team"), { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);
  expect(await asProgram()).toBe(200);
  await page.getByRole("button", { name: "I have kept it" }).click();
  expect(await page.content()).not.toContain(token);
  await page.getByRole("button", { name: "Delete Payroll export" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await page.getByText("You have no tokens").waitFor();
  expect(await asProgram()).toBe(401);
});
