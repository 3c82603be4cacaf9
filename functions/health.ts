import { db } from "@svc/core/platform/db/engine";
import { sql } from "kysely";
import * as z from "zod/mini";
import { api } from "./http/api.ts";

/** Checks that this deployment can reach its database. */
export const handler = api({
  summary: "Check the health of the service",
  description: "The service is healthy if it can reach its database.",
  returns: { 200: z.object({ status: z.literal("ok") }) },
  codes: { unavailable: ["database_unavailable"] },
}).handler(async () => {
  await sql`SELECT 1`.execute(db());
  return { status: "ok" };
});
