import { idPattern } from "../base/id.ts";

/** What a report can be written as; each is also the ending of its file's name. */
export const formats = ["json", "csv", "xlsx", "pdf"] as const;
export type Format = (typeof formats)[number];

/** `reports/{workspaceId}/{id}.{format}`. Throws when the parts are no ids. */
export function objectKey(workspaceId: string, id: string, format: Format): string {
  if (!idPattern.test(workspaceId) || !idPattern.test(id))
    throw new Error("The key of a report needs two ids of 1 to 64 letters, digits, _ and -.");
  return `reports/${workspaceId}/${id}.${format}`;
}
