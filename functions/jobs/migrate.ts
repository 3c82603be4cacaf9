import { migrateDeployed } from "@svc/core/platform/db/migrate";
import * as z from "zod/mini";
import { job } from "./job.ts";

const Input = z.object({ functionRoles: z._default(z.array(z.string()), []) });

/** Migrates the database to the newest schema. Runs on each deployment that changes migrations, and manually. */
export const handler = job(async (event: unknown): Promise<{ applied: string[] }> => {
  return { applied: await migrateDeployed(Input.parse(event ?? {}).functionRoles) };
});
