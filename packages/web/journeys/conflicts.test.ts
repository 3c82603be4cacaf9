import { expect } from "vitest";
import {
  expectAccessible,
  expectErrors,
  expectFits,
  startSite,
  test,
  type Watched,
} from "../testing/browser.ts";

const site = startSite();
const first = { description: "Sketches for the kiosk", tags: "draft" };

/** Opens the entries of a member in a new window. */
const open = () => site.openAs("member@demo.test", "/time-entries");

/** Opens the dialog that edits the entry with this description. */
async function edit(page: Watched, description: string) {
  await page.getByLabel("Find entries").fill(description);
  await page.getByRole("button", { name: `Actions for ${description}` }).click();
  await page.getByRole("menuitem", { name: "Edit details" }).click();
  return page.getByRole("dialog", { name: "Edit entry" });
}

async function addEntry(page: Watched, description: string): Promise<void> {
  await page.getByRole("button", { name: "Add entry" }).click();
  const dialog = page.getByRole("dialog", { name: "Add entry" });
  await dialog.getByLabel("Description").fill(description);
  await dialog.getByLabel("Tags").fill(first.tags);
  await dialog.getByRole("button", { name: "Add entry" }).click();
  await page.getByText("Entry added.").waitFor();
}

test("two windows that edit one entry show both versions, and no one's text vanishes", async () => {
  const [one, two] = [await open(), await open()];
  await two.setViewportSize({ width: 360, height: 740 });
  await addEntry(one, first.description);
  await two.reload();
  const [mine, theirs] = [await edit(two, first.description), await edit(one, first.description)];
  await theirs.getByLabel("Description").fill("Sketches by window one");
  await theirs.getByLabel("Tags").fill("draft, one");
  await theirs.getByRole("button", { name: "Save changes" }).click();
  await one.getByText("Entry saved.").waitFor();

  await mine.getByLabel("Description").fill("Sketches by window two");
  await mine.getByRole("button", { name: "Save changes" }).click();
  const conflict = two.getByRole("dialog", { name: "Changed meanwhile" });
  for (const text of ["Sketches by window one", "Sketches by window two", "draft, one"])
    await conflict.getByText(text).waitFor();
  await expectFits(two);
  await expectAccessible(two);

  // Escape decides nothing, and the text is still there.
  await two.keyboard.press("Escape");
  await mine.getByText("Nothing was saved. Someone else has changed this meanwhile.").waitFor();
  expect(await mine.getByLabel("Description").inputValue()).toBe("Sketches by window two");
  await mine.getByRole("button", { name: "Save changes" }).click();
  await conflict.getByRole("button", { name: "Keep mine" }).press("Enter");
  await two.getByText("Entry saved.").waitFor();
  expectErrors(two, /412/, /412/);

  // My description, and the tag that only the other window has changed.
  await two.reload();
  const saved = await edit(two, "Sketches by window two");
  expect(await saved.getByLabel("Tags").inputValue()).toBe("draft, one");

  // The first window has seen neither, and takes the other version.
  await theirs.waitFor({ state: "detached" });
  await one.goto(one.url());
  const again = await edit(one, "Sketches by window two");
  await saved.getByLabel("Description").fill("Final sketches");
  await saved.getByRole("button", { name: "Save changes" }).click();
  await two.getByText("Entry saved.").waitFor();
  await again.getByLabel("Description").fill("Other sketches");
  await again.getByRole("button", { name: "Save changes" }).click();
  const second = one.getByRole("dialog", { name: "Changed meanwhile" });
  await second.getByRole("button", { name: "Take theirs" }).click();
  await one.getByText("Your change was discarded.").waitFor();
  await again.waitFor({ state: "detached" });
  expectErrors(one, /412/);
  await one.getByLabel("Find entries").fill("Final sketches");
  await one.getByRole("button", { name: "Actions for Final sketches" }).waitFor();
});
