import { api } from "../../http/api.ts";
import { deprecated } from "../../http/deprecated.ts";
import { described, listing } from "../time-entries/list.ts";

/** The former address of the time entries: the same answers, until 2.0. */
export const handler = listing(
  api({ ...described, summary: "Time entries: use GET /api/v1/time-entries" }).use(
    deprecated("/api/v1/time-entries"),
  ),
);
