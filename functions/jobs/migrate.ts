import { migrateDeployed } from "@svc/core/platform/db/migrate";
import * as z from "zod/mini";

const Input = z.object({ functionRoles: z._default(z.array(z.string()), []) });

/** Bring the database to the newest schema. Runs at each deployment whose migrations changed, and by hand. */
export async function handler(event: unknown): Promise<{ applied: string[] }> {
  return { applied: await migrateDeployed(Input.parse(event ?? {}).functionRoles) };
}
