import { db } from "@svc/core/platform/db/engine";
import { sql } from "kysely";
import * as z from "zod/mini";
import { api } from "./http/api.ts";

/** Whether this deployment can answer: it reaches its database. */
export const handler = api({
  summary: "Whether the service can answer",
  returns: { 200: z.object({ status: z.literal("ok") }) },
  codes: { unavailable: ["database_unavailable"] },
}).handler(async () => {
  await sql`SELECT 1`.execute(db());
  return { status: "ok" };
});
