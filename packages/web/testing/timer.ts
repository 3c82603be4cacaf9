import type { Locator, Page } from "playwright-core";

/** The timer bar, which every page has. */
export function timerBar(page: Page): Locator {
  return page.getByRole("region", { name: "Timer", exact: true });
}

/** Starts the timer in the bar, with a description and a project. */
export async function startTimer(page: Page, description: string, project?: string): Promise<void> {
  const bar = timerBar(page);
  await bar.getByLabel("What are you working on?").fill(description);
  if (project) {
    await bar.getByRole("button", { name: "Project: none" }).click();
    await page.getByRole("dialog", { name: "Project" }).getByRole("option", { name: project }).click();
    await bar.getByRole("button", { name: `Project: ${project}` }).waitFor();
  }
  await bar.getByRole("button", { name: "Start", exact: true }).click();
  await bar.getByRole("button", { name: "Stop", exact: true }).waitFor();
}
