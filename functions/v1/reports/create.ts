import { api } from "../../http/api.ts";
import { deprecated } from "../../http/deprecated.ts";
import { described, generating } from "./generate.ts";

/** The former address of generating reports: the same answers, until 2.0. */
export const handler = generating(
  api({ ...described, summary: "Generate a report: use POST /api/v1/reports/generate" }).use(
    deprecated("/api/v1/reports/generate"),
  ),
);
