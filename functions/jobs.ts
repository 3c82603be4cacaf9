import type { Need } from "@svc/core/platform/config/config";

/** A function that no URL reaches: it runs by the clock, by hand (an operator's function), or as messages arrive. */
export type Job = {
  /** Path under functions/ without the extension. */
  handler: string;
  needs: readonly Need[];
  /** EventBridge Scheduler's own notation, in UTC. Without it the job runs only by hand. */
  schedule?: string;
  timeoutSeconds: number;
  /** It consumes the queue: so many messages a call, and so many calls at once. */
  queue?: { batchSize: number; concurrency: number };
  /** The migrator connects as the owner of the schema; everything else may only read and write rows. */
  admin?: true;
};

/** Every job, once. The stack deploys this list, the local server runs it by the clock and under /_local/jobs. */
export const jobs = {
  migrate: { handler: "jobs/migrate", needs: ["database"], timeoutSeconds: 900, admin: true },
  "set-plan": { handler: "jobs/set-plan", needs: ["database"], timeoutSeconds: 30 },
  // After a change of ENCRYPTION_KEYS: docs/operations.md.
  "reseal-secrets": {
    handler: "jobs/reseal-secrets",
    needs: ["database", "encryption"],
    timeoutSeconds: 900,
  },
  "sweep-avatars": {
    handler: "jobs/sweep-avatars",
    needs: ["database", "avatars:sweep"],
    schedule: "cron(17 3 * * ? *)",
    timeoutSeconds: 900,
  },
  "forecast-budgets": {
    handler: "jobs/forecast-budgets",
    needs: ["database", "queue"],
    schedule: "cron(7 * * * ? *)",
    timeoutSeconds: 900,
  },
  "purge-expired": {
    handler: "jobs/purge-expired",
    needs: ["database", "files:write"],
    schedule: "cron(43 * * * ? *)",
    timeoutSeconds: 300,
  },
  "deliver-webhooks": {
    handler: "jobs/deliver-webhooks",
    needs: ["database", "encryption", "queue"],
    queue: { batchSize: 10, concurrency: 32 },
    timeoutSeconds: 30,
  },
  "retry-webhooks": {
    handler: "jobs/retry-webhooks",
    needs: ["database", "encryption", "queue", "mail"],
    schedule: "rate(1 minute)",
    timeoutSeconds: 60,
  },
  // 16:15 in Frankfurt, in summer and in winter, then again for what was late or failed; asking in vain costs a 304.
  "refresh-rates": {
    handler: "jobs/refresh-rates",
    needs: ["database"],
    schedule: "cron(15 14,15,16,18,20 ? * MON-FRI *)",
    timeoutSeconds: 120,
  },
} as const satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;
