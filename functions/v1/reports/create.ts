import { api } from "../../http/api.ts";
import { deprecated } from "../../http/deprecated.ts";
import { contract, generateHandler } from "./generate.ts";

/** Generates a report at its former path, which is kept until version 2.0. */
export const handler = generateHandler(
  api({ ...contract, summary: "Generate a report file (use POST /api/v1/reports/generate)" }).use(
    deprecated("/api/v1/reports/generate"),
  ),
);
