import { idPattern } from "../base/id.ts";

/** Days for which a report file is kept. The bucket's lifecycle rule is derived from it. */
export const retentionDays = 90;

/** File formats of a report, which are also its file name extensions. */
export const formats = ["json", "csv", "xlsx", "pdf"] as const;
export type Format = (typeof formats)[number];

/** Returns `reports/{workspaceId}/{id}.{format}`. Throws for an invalid id. */
export function objectKey(workspaceId: string, id: string, format: Format): string {
  if (!idPattern.test(workspaceId) || !idPattern.test(id))
    throw new Error("The key of a report needs two ids of 1 to 64 letters, digits, _ and -.");
  return `reports/${workspaceId}/${id}.${format}`;
}
