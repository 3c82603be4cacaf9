import { app } from "@svc/core/testing/factors";
import { password } from "@svc/local/demo";
import { expect } from "vitest";
import { cookieNames, expectTroubles, linkToken, startSite, test } from "../testing/browser.ts";

const site = startSite();

test("a person signs up, opens the account by the mail, and is in their workspace", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/register"));
  await page.getByLabel("Name").fill("Grace Hopper");
  await page.getByLabel("E-mail").fill("grace@web.test");
  await page.getByLabel("Password").fill("too short");
  await page.getByRole("button", { name: "Sign up" }).click();
  // What was typed is kept, the words stand at the field, and the field has the focus.
  const field = page.getByLabel("Password");
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await page.getByLabel("E-mail").inputValue()).toBe("grace@web.test");
  expectTroubles(page, /422/);

  await field.fill("an unlikely pass phrase");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("heading", { name: "Look into your mail" }).waitFor();
  await page.goto(site.url(`/verify-email#token=${linkToken(site.server(), "grace@web.test")}`));
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.getByRole("link", { name: "Team members" }).click();
  await page
    .getByRole("list", { name: /^Members of/ })
    .getByText("Grace Hopper")
    .waitFor();
  // Whatever a script can read holds no token.
  const readable = await page.evaluate(() => document.cookie + JSON.stringify({ ...sessionStorage }));
  expect(readable).not.toMatch(/svc_token|eyJ/);
  expect(await cookieNames(page)).toEqual([
    "svc_cookie_consent",
    "svc_current_unit",
    "svc_current_workspace",
    "svc_current_workspace_data",
    "svc_language",
    "svc_token",
  ]);
});

test("a link that was used says so, and how to go on", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/verify-email#token=used"));
  await page.getByText("This link was used before").waitFor();
  expect(page.url()).toBe(site.url("/verify-email"));
  expectTroubles(page, /410/);
});

test("a wrong password is told, what was typed stays, and the right one leads to the page that was asked for", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/settings/preferences"));
  await page.getByLabel("E-mail").fill("member@demo.test");
  await page.getByLabel("Password").fill("not this one");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("not right").waitFor();
  expect(await page.getByLabel("E-mail").inputValue()).toBe("member@demo.test");
  expectTroubles(page, /401/);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Preferences", exact: true }).waitFor();

  await page.getByRole("button", { name: "Account of Mia Member" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await cookieNames(page)).not.toContain("svc_token");
  await page.goto(site.url("/members"));
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

test("a session that is over leads to the sign-in page, and back", async () => {
  const page = await site.openAs("member@demo.test", "/members");
  await page.getByText("Mia Member").waitFor();
  await page.context().clearCookies({ name: "svc_token" });
  await page.reload();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(new URL(page.url()).searchParams.get("next")).toBe("/members");
  expectTroubles(page, /401/);
});

test.each(["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"])(
  "signing in never leads to %s",
  async (next) => {
    const page = await site.open({ consent: ["essential"] });
    await page.goto(site.url(`/login?next=${encodeURIComponent(next)}`));
    await page.getByLabel("E-mail").fill("member@demo.test");
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Home" }).waitFor();
    expect(new URL(page.url()).origin).toBe(site.url("").replace(/\/$/, ""));
  },
);

test("a forgotten password is set by the mailed link, once", async () => {
  const email = "lina.schmidt@demo.test";
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/login"));
  await page.getByRole("link", { name: "Forgotten your password?" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await page.getByRole("heading", { name: "Look into your mail" }).waitFor();
  await page.goto(site.url(`/reset-password#token=${linkToken(site.server(), email)}`));
  await page.getByLabel("New password").fill("another unlikely phrase");
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByRole("link", { name: "Sign in with the new password" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("another unlikely phrase");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Home" }).waitFor();
});

/** A second factor, added by the API with the page's own cookie. */
async function call(
  page: Awaited<ReturnType<typeof site.open>>,
  method: "post" | "get",
  path: string,
  data = {},
) {
  const answer = await page.request[method](site.url(path), {
    data,
    headers: { origin: site.url("").replace(/\/$/, "") },
  });
  expect(answer.ok(), `${path} ${answer.status()}`).toBe(true);
  return answer.json();
}

test("the second step takes the app's code, and a backup code", async () => {
  const email = "hugo.alvarez@demo.test";
  const setUp = await site.openAs(email, "/members");
  await call(setUp, "post", "/auth/reauthenticate", { password });
  const { secret } = await call(setUp, "post", "/user/2fa/totp");
  const codes = app(secret);
  const { backupCodes } = await call(setUp, "post", "/user/2fa/totp/verify", { code: codes.code(0) });

  const page = await site.open({ consent: ["essential"] });
  const firstStep = async () => {
    await page.goto(site.url("/login"));
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Second step" }).waitFor();
  };
  await firstStep();
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("not right").waitFor();
  expectTroubles(page, /401/);
  await page.getByLabel("Code", { exact: true }).fill(codes.code(1));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Home" }).waitFor();

  await page.context().clearCookies();
  await firstStep();
  await page.getByRole("button", { name: "Use a backup code" }).click();
  await page.getByLabel("Backup code").fill(backupCodes[0]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Home" }).waitFor();
});

test("the second step takes a passkey", async () => {
  const page = await site.openAs("ines.novak@demo.test", "/members");
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
  await call(page, "post", "/auth/reauthenticate", { password });
  const options = await call(page, "post", "/user/2fa/webauthn/options");
  const credential = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON();
  }, options);
  await call(page, "post", "/user/2fa/webauthn", { credential });

  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  // Until then, the list of members has a field that is named so too.
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByLabel("E-mail").fill("ines.novak@demo.test");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Ask my device" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
});
