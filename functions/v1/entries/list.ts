import { api } from "../../http/api.ts";
import { deprecated } from "../../http/deprecated.ts";
import { contract, listHandler } from "../time-entries/list.ts";

/** Lists time entries at their former path, which is kept until version 2.0. */
export const handler = listHandler(
  api({ ...contract, summary: "List time entries (use GET /api/v1/time-entries)" }).use(
    deprecated("/api/v1/time-entries"),
  ),
);
