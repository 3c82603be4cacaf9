import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { listEntries } from "./entries.ts";

/** A description that the user has entered before, with the project and tags it had last. */
export type FormerEntry = { description: string; projectId: string | null; tags: string[] };

const maxShown = 8;

/**
 * Loads descriptions that contain `typed`: those of the user's newest matching entries with their projects and tags, then older
 * ones. Loads nothing for an empty text.
 */
export function useFormerEntries(typed: string): readonly FormerEntry[] {
  const { me, workspace } = useCurrentUser();
  const q = useSettled(typed.trim());
  const { data } = useQuery({
    queryKey: ["time-entries", workspace.id, "suggestions", me.id, q],
    enabled: q !== "",
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const [entries, used] = await Promise.all([
        listEntries({ user_id: me.id, q, limit: 50 }, signal),
        svc.get("/api/v1/suggestions", { query: { field: "description", q }, signal }),
      ]);
      const known = entries.data.filter(({ description }) => description !== "");
      const older = used.data.map(({ value }) => ({ description: value, projectId: null, tags: [] }));
      const seen = new Set(known.map(({ description }) => description));
      return [...known, ...older.filter(({ description }) => !seen.has(description))];
    },
  });
  if (typed.trim() === "") return [];
  const byKey = new Map<string, FormerEntry>();
  for (const { description, projectId, tags } of data ?? []) {
    const key = `${projectId} ${description}`;
    if (!byKey.has(key)) byKey.set(key, { description, projectId, tags });
  }
  return [...byKey.values()].slice(0, maxShown);
}

/** Loads the tags of the workspace that contain `typed`, the most recently used first. */
export function useTagSuggestions(typed: string): readonly string[] {
  const { workspace } = useCurrentUser();
  const q = useSettled(typed.trim());
  const { data } = useQuery({
    queryKey: ["time-entries", workspace.id, "tags", q],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      svc.get("/api/v1/suggestions", { query: { field: "tag", ...(q && { q }) }, signal }),
  });
  return data?.data.map(({ value }) => value) ?? [];
}

const pauseMs = 150;

/** Returns the text after a short pause in typing, so that not every key press sends a request. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
