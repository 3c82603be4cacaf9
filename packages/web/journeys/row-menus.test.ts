import { db } from "@svc/core/platform/db/engine";
import { hasBrowser } from "@svc/local/testing/chromium";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect } from "vitest";
import { startSite, test } from "../testing/browser.ts";
import { examplePaths } from "../testing/example-paths.ts";

/** The menus at the end of rows, in every list that has them. */
const site = startSite();

let pathOf: (route: string) => string;
beforeAll(async () => {
  if (!hasBrowser) return;
  const examples = await examplePaths();
  // The example of a project is archived, so its entries cannot be changed.
  const { id } = await db()
    .selectFrom("projects")
    .innerJoin("workspaces", "workspaces.id", "projects.workspace_id")
    .select("projects.id")
    .where("workspaces.name", "=", "Demo")
    .where("projects.name", "=", "Mobile app")
    .executeTakeFirstOrThrow();
  pathOf = (route) => (route === "/projects/:id" ? `/projects/${id}` : examples(route));
});

/** Lists with row menus: the route, the action of the menu to choose, and the dialog that it opens. */
const lists = [
  { route: "/time-entries", action: "Edit details", dialog: "Edit entry" },
  { route: "/projects/:id", action: "Edit details", dialog: "Edit entry" },
  { route: "/projects", action: "Edit project", dialog: "Edit project" },
  { route: "/members", action: "Change role…", dialog: /^Change the role of/ },
  { route: "/teams/:id", action: "Change role…", dialog: /^Change the role of/ },
];

type Point = { x: number; y: number };

const buttons = (page: Page) => page.getByRole("button", { name: /^Actions for/ });

/** Returns the middle of an element, and whether a pointer there would hit the element and nothing above it. */
async function middle(element: Locator): Promise<Point & { hit: boolean }> {
  return element.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return { x, y, hit: one.contains(document.elementFromPoint(x, y)) };
  });
}

/** Returns the buttons of the first, the fifth and the last row that a pointer can reach. */
async function chosenRows(page: Page): Promise<Locator[]> {
  await buttons(page).nth(4).waitFor();
  // Parts that load later move the rows.
  await page.waitForLoadState("networkidle");
  const all = await buttons(page).all();
  const reachable: Locator[] = [];
  for (const button of all) if ((await middle(button)).hit) reachable.push(button);
  expect(reachable.length).toBeGreaterThan(4);
  const rows = [reachable[0], reachable[4], reachable.at(-1)];
  // A list renders again while it scrolls, so each button is found by its row.
  return Promise.all(
    rows.map(async (row) => {
      const name = (await row?.getAttribute("aria-label")) ?? "";
      const before = await row?.evaluate(
        (one, label) =>
          [...document.querySelectorAll(`button[aria-label=${JSON.stringify(label)}]`)].indexOf(one),
        name,
      );
      return page.getByRole("button", { name, exact: true }).nth(before ?? 0);
    }),
  );
}

/** Opens the menu of each chosen row with `press`, chooses the action, and closes the dialog. */
async function useMenus(
  page: Page,
  { action, dialog }: (typeof lists)[number],
  press: (point: Point) => Promise<void>,
): Promise<void> {
  for (const row of await chosenRows(page)) {
    await expect.poll(async () => (await middle(row)).hit, { message: "the button of the menu" }).toBe(true);
    await press(await middle(row));
    await page.getByRole("menuitem", { name: action, exact: true }).waitFor();
    for (const item of await page.getByRole("menuitem").all())
      await expect
        .poll(async () => (await middle(item)).hit, { message: `${await item.textContent()}` })
        .toBe(true);
    await press(await middle(page.getByRole("menuitem", { name: action, exact: true })));
    await page.getByRole("dialog", { name: dialog }).waitFor();
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
}

/** High enough for more than five rows of every list. */
const wide = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" } as const;

describe.each(lists)("the row menus of $route", (list) => {
  test("work by pointer, where the pointer hits", async () => {
    const page = await site.openAs("owner@demo.test", pathOf(list.route), wide);
    await useMenus(page, list, ({ x, y }) => page.mouse.click(x, y));
  });

  test("work by touch on a phone", async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const page = await site.openAs("owner@demo.test", pathOf(list.route), {
      ...phone,
      reducedMotion: "reduce",
    });
    await buttons(page).first().waitFor();
    await page.waitForLoadState("networkidle");
    // Below the head of the page are as many rows as on a wide screen.
    await page.evaluate(() => scrollBy(0, 600));
    await useMenus(page, list, ({ x, y }) => page.touchscreen.tap(x, y));
  });

  test("work by keyboard alone, and return the focus to their button", async () => {
    const page = await site.openAs("owner@demo.test", pathOf(list.route), wide);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    for (const row of await chosenRows(page)) {
      await row.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem").first().waitFor();
      for (let press = 0; press < 6 && (await focused()) !== list.action; press++)
        await page.keyboard.press("ArrowDown");
      expect(await focused()).toBe(list.action);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: list.dialog }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expect.poll(() => row.evaluate((one) => one === document.activeElement)).toBe(true);
    }
  });
});
