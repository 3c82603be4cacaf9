import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { app } from "@svc/core/testing/factors";
import { password } from "@svc/local/demo";
import { expect } from "vitest";
import { site as builtSite } from "../build.ts";
import {
  addAuthenticator,
  cookieNames,
  expectAccessible,
  expectErrors,
  expectFits,
  linkToken,
  startSite,
  test,
} from "../testing/browser.ts";

const site = startSite();

test("a user signs up, confirms the email with their password and sees their workspace", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/register"));
  await page.getByLabel("Name").fill("Grace Hopper");
  await page.getByLabel("Email").fill("grace@web.test");
  await page.getByLabel("Password").fill("too short");
  await page.getByRole("button", { name: "Sign up" }).click();
  // The values are retained, and the field with the error has the focus.
  const field = page.getByLabel("Password");
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await page.getByLabel("Email").inputValue()).toBe("grace@web.test");
  expectErrors(page, /422/);

  await field.fill("Grace-Hopper1");
  await page.getByText("Easy to guess. Your name").waitFor();
  await field.fill("an unlikely pass phrase");
  await page.getByText("Very hard to guess.").waitFor();
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.goto(site.url(`/verify-email#token=${linkToken(site.server(), "grace@web.test")}`));
  await page.getByLabel("Password").fill("not this pass phrase");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("alert").getByText("Incorrect password.").waitFor();
  expectErrors(page, /401/);
  await page.getByLabel("Password").fill("an unlikely pass phrase");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page.getByRole("link", { name: "Team members" }).click();
  await page
    .getByRole("list", { name: /^Members of/ })
    .getByText("Grace Hopper")
    .waitFor();
  // Scripts cannot read the session token.
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

test("fields for passwords hide them, accept pasted ones and tell password managers which one they ask for", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const [path, autocomplete] of [
    ["/login", "current-password"],
    ["/register", "new-password"],
    ["/reset-password#token=unknown", "new-password"],
  ] as const) {
    await page.goto(site.url(path));
    const field = page.locator("input[type=password]").first();
    await field.focus();
    await page.evaluate(() => navigator.clipboard.writeText("an unlikely pass phrase"));
    await page.keyboard.press("Control+V");
    expect([await field.inputValue(), await field.getAttribute("autocomplete")]).toEqual([
      "an unlikely pass phrase",
      autocomplete,
    ]);
  }
});

test("a confirmation link that was already used shows an error", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/verify-email#token=used"));
  await page.getByLabel("Password").fill("an unlikely pass phrase");
  await page.keyboard.press("Enter");
  await page.getByText("This link has expired or was already used.").waitFor();
  expect(page.url()).toBe(site.url("/verify-email"));
  expectErrors(page, /410/);
});

test("a wrong password shows an error and retains the email, and the right one opens the requested page", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/settings/preferences"));
  await page.getByLabel("Email").fill("member@demo.test");
  await page.getByLabel("Password").fill("not this one");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("alert").getByText("Incorrect email or password.").waitFor();
  expect(await page.getByLabel("Email").inputValue()).toBe("member@demo.test");
  expectErrors(page, /401/);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Preferences", exact: true }).waitFor();

  await page.getByRole("button", { name: "Account of Mia Member" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await cookieNames(page)).not.toContain("svc_token");
  expect(await page.evaluate(() => Object.keys({ ...localStorage, ...sessionStorage }))).toEqual([
    "svc_device",
  ]);
  await page.goto(site.url("/members"));
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
});

test("the sign-in page says what the product is and signs in as a demo user with one click", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/login?next=/settings/profile"));
  await page.getByRole("complementary", { name: "About svc" }).getByRole("listitem").nth(2).waitFor();
  const demo = page.getByRole("region", { name: "Explore the demo" });
  await demo.getByRole("button", { name: "Mia Member" }).waitFor();
  expect(await demo.getByRole("button").allInnerTexts()).toEqual([
    "Olivia Owner\nOwner",
    "Adam Admin\nAdmin",
    "Aiko Tanaka\nManager",
    "Mia Member\nMember",
  ]);
  await expectAccessible(page);
  await expectFits(page);
  await demo.getByRole("button", { name: "Aiko Tanaka" }).click();
  await page.getByRole("heading", { name: "Profile", exact: true }).waitFor();
  await page.getByRole("button", { name: "Account of Aiko Tanaka" }).waitFor();
});

test("without demo data, the sign-in page offers no one", async () => {
  const page = await site.open({ consent: ["essential"] });
  await page.route("**/demo-people.json", (route) => route.fulfill({ json: { password: "", people: [] } }));
  await page.goto(site.url("/login"));
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  expect(await page.getByText("Explore the demo").count()).toBe(0);
});

test("no file of the built client contains the demo password", async () => {
  const entries = await readdir(builtSite, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.map((file) => readFile(file, "latin1")));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((_, at) => texts[at]?.includes(password))).toEqual([]);
});

test("an ended session leads to the sign-in page, which remembers the requested page", async () => {
  const page = await site.openAs("member@demo.test", "/members");
  await page.getByText("Mia Member").waitFor();
  await page.context().clearCookies({ name: "svc_token" });
  await page.reload();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(new URL(page.url()).searchParams.get("next")).toBe("/members");
  expectErrors(page, /401/);
});

test.each(["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"])(
  "sign-in does not redirect to %s",
  async (next) => {
    const page = await site.open({ consent: ["essential"] });
    await page.goto(site.url(`/login?next=${encodeURIComponent(next)}`));
    await page.getByLabel("Email").fill("member@demo.test");
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Home" }).waitFor();
    expect(new URL(page.url()).origin).toBe(site.url("").replace(/\/$/, ""));
  },
);

test("a user sets a new password from the emailed link and signs in with it", async () => {
  const email = "lina.schmidt@demo.test";
  const page = await site.open({ consent: ["essential"] });
  await page.goto(site.url("/login"));
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await page.goto(site.url(`/reset-password#token=${linkToken(site.server(), email)}`));
  await page.getByLabel("New password").fill("another unlikely phrase");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("link", { name: "Sign in with your new password" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("another unlikely phrase");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Home" }).waitFor();
});

/** Calls the API with the page's cookies. */
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

test("the second factor can be an authenticator app or a backup code", async () => {
  const email = "hugo.alvarez@demo.test";
  const setUp = await site.openAs(email, "/members");
  await call(setUp, "post", "/auth/reauthenticate", { password });
  const { secret } = await call(setUp, "post", "/user/2fa/totp");
  const codes = app(secret);
  const { backupCodes } = await call(setUp, "post", "/user/2fa/totp/verify", { code: codes.code(0) });

  const page = await site.open({ consent: ["essential"] });
  const firstStep = async () => {
    await page.goto(site.url("/login"));
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Two-factor authentication" }).waitFor();
  };
  await firstStep();
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("Incorrect second factor.").waitFor();
  expectErrors(page, /401/);
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

test("the second factor can be a security key", async () => {
  const page = await site.openAs("ines.novak@demo.test", "/members");
  await addAuthenticator(page, { hasResidentKey: false });
  await call(page, "post", "/auth/reauthenticate", { password });
  const options = await call(page, "post", "/user/2fa/webauthn/options");
  const credential = await page.evaluate(async (json) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON();
  }, options);
  await call(page, "post", "/user/2fa/webauthn", { credential });

  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  // Wait, because the search field of the member list matches the label too.
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByLabel("Email").fill("ines.novak@demo.test");
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Continue with device" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
});

test("a user creates a passkey after a sign-in with the password, and then signs in with nothing typed", async () => {
  const email = "bruno.costa@demo.test";
  const page = await site.open({ consent: ["essential"] });
  const authenticator = await addAuthenticator(page);
  // The autofill of a real browser waits for the user; this one would choose at once.
  await authenticator.presence(false);
  await page.goto(site.url("/login"));
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  const offer = page.getByRole("region", { name: "Passkey" });
  await offer.getByRole("button", { name: "Create passkey…" }).click();
  await authenticator.presence(true);
  await page.getByRole("button", { name: "Continue with device" }).click();
  await page.getByRole("dialog", { name: "Confirm your password" }).getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  expectErrors(page, /403/);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await offer.waitFor({ state: "detached" });

  const signOut = async () => {
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
  };
  const signedIn = () =>
    page.waitForResponse((answer) => answer.url().endsWith("/auth/passkey") && answer.ok());
  // With autofill.
  const byAutofill = signedIn();
  await signOut();
  await byAutofill;
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await offer.waitFor({ state: "detached" });
  const history = await call(page, "get", "/user/login-history");
  expect(history.data[0]).toMatchObject({ outcome: "success", method: "passkey" });

  // With the button, and the keyboard alone.
  await authenticator.presence(false);
  await signOut();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.getByRole("button", { name: "Sign in with a passkey" }).focus();
  await authenticator.presence(true);
  const byButton = signedIn();
  await page.keyboard.press("Enter");
  await byButton;
  await page.getByRole("heading", { name: "Home" }).waitFor();
});
