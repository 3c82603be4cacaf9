import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { describe, expect, it } from "vitest";
import { type Content, entryHash, groupHash, linkHash } from "./hashes.ts";

const at = new Date("2026-01-31T12:00:00.120Z");
const personal = { origin: "O", name: "N", changes: "C", data: "D" };
const entry: Content = {
  id: "evt_1",
  workspace_id: "wsp_1",
  action: "project.updated",
  at,
  actor_type: "user",
  actor_id: "usr_1",
  token_id: null,
  target_type: "project",
  target_id: "prj_1",
  target_name: 'Łódź "李雷"\u2028 \u0007',
  ip: "192.0.2.1",
  country: "",
  city: null,
  user_agent: "Mozilla/5.0",
  request_id: "req_1",
  outcome: "success",
  occurrences: 7,
  changes: { z: { before: 1e21, after: 1.5e-7 }, é: { before: null, after: ["b", { b: 1, a: 2 }] }, A: {} },
  data: {},
};

/** Hashes the canonical JSON of a value, of which undefined members are left out. */
const expected = (value: unknown, salt = "") =>
  createHash("sha256")
    .update(salt, "base64url")
    .update(canonicalize(value) ?? "")
    .digest("base64url");

describe("the hashes of an entry", () => {
  it("cover the canonical JSON of the columns that have a value", () => {
    const { ip, user_agent, target_name, changes } = entry;
    const salt = "AAECAwQFBgcICQoLDA0ODw";
    expect(groupHash(entry, "origin", salt)).toBe(expected({ ip, user_agent }, salt));
    expect(groupHash(entry, "name", salt)).toBe(expected({ target_name }, salt));
    expect(groupHash(entry, "changes", salt)).toBe(expected({ changes }, salt));
    expect(groupHash(entry, "data", salt)).toBe(expected({}, salt));
  });

  it("cover the permanent columns and the hashes of the personal ones, and a count only if it is not 1", () => {
    const { id, workspace_id, action, actor_type, actor_id, target_type, target_id, request_id, outcome } =
      entry;
    const once = {
      id,
      workspace_id,
      action,
      at,
      actor_type,
      actor_id,
      target_type,
      target_id,
      request_id,
      outcome,
    };
    expect(entryHash(entry, personal)).toBe(expected({ permanent: { ...once, occurrences: 7 }, personal }));
    for (const occurrences of [1, null])
      expect(entryHash({ ...entry, occurrences }, personal)).toBe(expected({ permanent: once, personal }));
  });
});

describe("linkHash", () => {
  it("covers the canonical JSON of the link and the previous hash", () => {
    const link = { workspaceId: "wsp_1", sequence: 3, at, chainedAt: new Date("2026-01-31T12:15:00Z") };
    expect(linkHash("P", { ...link, entryHash: "E" })).toBe(expected({ ...link, previous: "P", entry: "E" }));
  });
});
