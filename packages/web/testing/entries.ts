import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Site, Watched } from "./browser.ts";

const dayMs = 86_400_000;

/** Returns the day that was so many days ago, in UTC, the demo workspace's time zone. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
}

/** Adds an entry through the API, as the user of the page, on the project with this name. */
export async function addEntry(
  site: Site,
  page: Page,
  { project, ...entry }: { startedAt: Date; endedAt: Date; description?: string; project?: string },
): Promise<void> {
  const { data: projects } = await (await page.request.get(site.url("/api/v1/projects"))).json();
  const found = projects.find(({ name }: { name: string }) => name === project);
  const data = { ...entry, ...(found && { projectId: found.id }) };
  const answer = await page.request.post(site.url("/api/v1/time-entries"), {
    data,
    headers: { origin: site.url("").replace(/\/$/, "") },
  });
  expect(answer.status()).toBe(201);
}

/**
 * Adds entries of half an hour from eight o'clock on, by default yesterday, and opens the list with only them. Their descriptions
 * end with the returned word.
 */
export async function openWith(
  site: Site,
  email: string,
  descriptions: readonly string[],
  { day = daysAgo(1), project }: { day?: string; project?: string } = {},
): Promise<{ page: Watched; word: string }> {
  const page = await site.openAs(email, "/projects");
  await page.getByRole("heading", { name: "Projects" }).waitFor();
  const word = `Batch${Math.random().toString(36).slice(2, 8)}`;
  for (const [at, description] of descriptions.entries()) {
    const startedAt = new Date(Date.parse(day) + (at + 8) * 3_600_000);
    const endedAt = new Date(startedAt.getTime() + 1_800_000);
    await addEntry(site, page, {
      description: `${description} ${word}`,
      startedAt,
      endedAt,
      ...(project && { project }),
    });
  }
  await page.goto(site.url(`/time-entries?q=${word}`));
  await page.getByRole("list", { name: "Time entries" }).getByText(word).first().waitFor();
  return { page, word };
}

/** Returns the rows of the entries that `openWith` has added with this description. */
export function entryRow(page: Page, description: string): Locator {
  return page.getByRole("listitem").filter({ hasText: new RegExp(`^(Locked)?${description} Batch`) });
}
