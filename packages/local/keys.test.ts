import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Config from "@svc/core/platform/config/config";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openKeys, saveKeys } from "./keys.ts";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "svc-keys-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

test("openKeys creates the keys once, in a file that only its owner can read", async () => {
  const keys = await openKeys(directory);
  expect(await openKeys(directory)).toEqual(keys);
  expect((await stat(join(directory, "keys.json"))).mode & 0o777).toBe(0o600);
  expect(Config.tokenKeys({ TOKEN_KEYS: keys.tokenKeys })).toHaveLength(1);
  expect(Config.auditKeys({ AUDIT_KEYS: keys.auditKeys })).toHaveLength(1);
});

test("openKeys adds the key of checkpoints to a file of an earlier version, and keeps the others", async () => {
  const { auditKeys, ...earlier } = await openKeys(directory);
  await writeFile(join(directory, "keys.json"), JSON.stringify(earlier));
  const keys = await openKeys(directory);
  expect(keys).toEqual({ ...earlier, auditKeys: expect.stringMatching(/^local:.{43}$/) });
  expect(await openKeys(directory)).toEqual(keys);
  expect(keys.auditKeys).not.toBe(auditKeys);
});

test("openKeys creates different keys when the file is missing", async () => {
  const first = await openKeys(directory);
  await rm(join(directory, "keys.json"));
  const second = await openKeys(directory);
  expect(second.tokenKeys).not.toBe(first.tokenKeys);
  expect(second.storage.secretAccessKey).not.toBe(first.storage.secretAccessKey);
});

test("saveKeys replaces the file and leaves no temporary file", async () => {
  const keys = { ...(await openKeys(directory)), bucketPort: 4321 };
  await saveKeys(directory, keys);
  expect(await openKeys(directory)).toEqual(keys);
  expect(await readdir(directory)).toEqual(["keys.json"]);
});

test.each(["", "{", '{"tokenKeys":1}'])(
  "openKeys throws keys_unreadable for a file with the content %j",
  async (text) => {
    await writeFile(join(directory, "keys.json"), text);
    await expect(openKeys(directory)).rejects.toMatchObject({ code: "keys_unreadable" });
  },
);
