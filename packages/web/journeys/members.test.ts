import * as Clock from "@svc/core/base/clock";
import { db } from "@svc/core/platform/db/engine";
import { afterEach, expect } from "vitest";
import { startSite, test } from "../testing/browser.ts";

const site = startSite();
afterEach(() => Clock.reset());

test("the member list shows signed bucket URLs, and initials when there is no picture or it fails to load", async () => {
  // The service worker would show pictures that it has kept.
  const page = await site.openAs("owner@demo.test", "/members", { consent: ["essential"] });
  await page.getByText("25 members").waitFor();
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  const find = (text: string) => page.getByRole("searchbox").fill(text);
  await find("adam");
  const src = await row("Adam Admin").locator("img").getAttribute("src");
  expect(src?.startsWith(`${site.server().bucket?.url}/svc-avatars/avatars-small/`)).toBe(true);
  expect(src).toContain("X-Amz-Expires=604800");
  for (const [name, letters] of [
    ["Uma Patel", "UP"],
    ["Viktor Horváth", "VH"],
  ] as const) {
    await find(name);
    expect(await row(name).locator(".avatar").textContent()).toBe(letters);
    expect(await row(name).locator("img").count()).toBe(0);
  }

  await page.context().route("**/svc-avatars/**", (route) => route.fulfill({ status: 403 }));
  await page.reload();
  await page.getByText("25 members").waitFor();
  await find("bruno");
  await row("Bruno Costa").getByText("BC").waitFor();
  page.errors.length = 0;
  const stored = await page.evaluate(
    () => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }),
  );
  expect(stored).not.toContain("X-Amz");
});

test("a page that stays open gets new signed picture URLs after a day", async () => {
  const page = await site.openAs("owner@demo.test", "/login");
  await page.clock.install();
  await page.goto(site.url("/members"));
  await page.getByText("25 members").waitFor();
  await page.getByRole("searchbox").fill("adam");
  const picture = page.getByRole("listitem").filter({ hasText: "Adam Admin" }).locator("img");
  const before = await picture.getAttribute("src");
  Clock.advance(86_460);
  await page.clock.fastForward(86_400_000 + 60_000);
  await expect.poll(() => picture.getAttribute("src")).not.toBe(before);
});

test("all members are shown when the API returns the list in pages, as it does for more than 4,000", async () => {
  const page = await site.openAs("owner@demo.test", "/settings/preferences", { consent: ["essential"] });
  const asked: string[] = [];
  await page.context().route(/\/team\/[^/]+\/members/, async (route) => {
    const url = new URL(route.request().url());
    asked.push(url.search);
    if (url.search === "") url.search = "?page=1&per_page=10";
    await route.fulfill({ response: await route.fetch({ url: url.href }) });
  });
  await page.goto(site.url("/members"));
  await page.getByText("25 members").waitFor();
  expect(asked).toEqual(["", "?page=2&per_page=10", "?page=3&per_page=10"]);
});

test("a list of 1,000 members renders only the visible rows and scrolls to the end", async () => {
  const page = await site.openAs("owner@demo.test", "/settings/preferences");
  const { id, workspace_id } = await db()
    .selectFrom("teams")
    .innerJoin("workspaces", "workspaces.id", "teams.workspace_id")
    .select(["teams.id", "teams.workspace_id"])
    .where("workspaces.name", "=", "Demo")
    .executeTakeFirstOrThrow();
  const now = new Date();
  const ids = Array.from({ length: 975 }, (_, at) => `usr_many${String(at).padStart(4, "0")}`);
  const users = ids.map((user) => ({
    id: user,
    email: `${user}@many.test`,
    email_key: `${user}@many.test`,
    password_hash: "-",
    name: `Zed ${user.slice(-4)}`,
    created_at: now,
    updated_at: now,
  }));
  await db().insertInto("users").values(users).execute();
  await db()
    .insertInto("memberships")
    .values(
      ids.map((user_id) => ({ workspace_id, user_id, role: "member", status: "active", joined_at: now })),
    )
    .execute();
  await db()
    .insertInto("team_members")
    .values(ids.map((user_id) => ({ team_id: id, user_id, joined_at: now })))
    .execute();
  await page.goto(site.url("/members"));
  await page.getByText("1,000 members").waitFor();
  expect(await page.getByRole("listitem").count()).toBeLessThan(60);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.getByText("Zed 0974").waitFor();
  expect(await page.locator('[aria-posinset="1000"]').getAttribute("aria-setsize")).toBe("1000");
});
