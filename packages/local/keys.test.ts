import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Config from "@svc/core/platform/config/config";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keep, openKeys } from "./keys.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-keys-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

test("keys are made once and stay the same, readable by their owner alone", async () => {
  const keys = await openKeys(directory);
  expect(await openKeys(directory)).toEqual(keys);
  expect((await stat(join(directory, "keys.json"))).mode & 0o777).toBe(0o600);
  expect(Config.tokenKeys({ TOKEN_KEYS: keys.tokenKeys })).toHaveLength(1);
});

test("another directory has other keys", async () => {
  const first = await openKeys(directory);
  await rm(join(directory, "keys.json"));
  const second = await openKeys(directory);
  expect(second.tokenKeys).not.toBe(first.tokenKeys);
  expect(second.storage.secretAccessKey).not.toBe(first.storage.secretAccessKey);
});

test("a change is kept, whole and without leftovers", async () => {
  const keys = { ...(await openKeys(directory)), bucketPort: 4321 };
  await keep(directory, keys);
  expect(await openKeys(directory)).toEqual(keys);
  expect(await readdir(directory)).toEqual(["keys.json"]);
});

test.each(["", "{", '{"tokenKeys":1}'])("a file that holds %j is not replaced but reported", async (text) => {
  await writeFile(join(directory, "keys.json"), text);
  await expect(openKeys(directory)).rejects.toMatchObject({ code: "keys_unreadable" });
});
