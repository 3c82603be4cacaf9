import type { Need } from "@svc/core/platform/config/config";

/** A function without a URL. It runs on a schedule, manually by an operator, or for messages of the queue. */
export type Job = {
  /** Path under functions/ without the extension. */
  handler: string;
  needs: readonly Need[];
  /** A schedule expression of EventBridge Scheduler, in UTC. A job without one only runs manually or for messages. */
  schedule?: string;
  timeoutSeconds: number;
  /** Consumes the queue, with this many messages per invocation and this many concurrent invocations. */
  queue?: { batchSize: number; concurrency: number };
  /** Connects as the owner of the schema, for migrations. All other functions may only read and write rows. */
  admin?: true;
  /** The handler decodes images, as in routes.ts. */
  sharp?: true;
};

/** Every job. The stack deploys this list; the local server runs it on schedule and under /_local/jobs. */
export const jobs = {
  migrate: { handler: "jobs/migrate", needs: ["database"], timeoutSeconds: 900, admin: true },
  "set-plan": { handler: "jobs/set-plan", needs: ["database"], timeoutSeconds: 30 },
  // Run after a change of ENCRYPTION_KEYS, as docs/operations.md describes.
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
  // Run once after an update from 1.4.0, as docs/operations.md describes.
  "make-small-avatars": {
    handler: "jobs/make-small-avatars",
    needs: ["database", "avatars:write"],
    sharp: true,
    timeoutSeconds: 900,
  },
  "forecast-budgets": {
    handler: "jobs/forecast-budgets",
    needs: ["database", "queue"],
    schedule: "cron(7 * * * ? *)",
    timeoutSeconds: 900,
  },
  // Each day's first runs check every project; the later ones return at once.
  "check-sums": {
    handler: "jobs/check-sums",
    needs: ["database"],
    schedule: "cron(27 * * * ? *)",
    timeoutSeconds: 900,
  },
  "chain-audit-logs": {
    handler: "jobs/chain-audit-logs",
    needs: ["database", "checkpoints"],
    // A run signs a checkpoint for each workspace with new entries, so more runs cost more for the same entries. With fewer runs,
    // entries that were committed late would count as forged, as `lookBackMinutes` in chain.ts explains.
    schedule: "rate(30 minutes)",
    timeoutSeconds: 300,
  },
  // Each day's first runs check every audit log; the later ones return at once.
  "check-audit-logs": {
    handler: "jobs/check-audit-logs",
    needs: ["database", "checkpoints"],
    schedule: "cron(52 * * * ? *)",
    timeoutSeconds: 900,
  },
  "purge-expired": {
    handler: "jobs/purge-expired",
    needs: ["database", "files:write"],
    schedule: "cron(43 * * * ? *)",
    timeoutSeconds: 900,
  },
  "record-erasures": {
    handler: "jobs/record-erasures",
    needs: ["database", "erasures:record"],
    schedule: "rate(5 minutes)",
    timeoutSeconds: 300,
  },
  // Run after a backup was restored, as docs/operations.md describes.
  "reapply-erasures": {
    handler: "jobs/reapply-erasures",
    needs: ["database", "erasures:reapply"],
    timeoutSeconds: 900,
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
  // Runs at 16:15 in Frankfurt, in summer and in winter, and again later for rates that were late or failed. A run without
  // new rates only receives 304 responses.
  "refresh-rates": {
    handler: "jobs/refresh-rates",
    needs: ["database"],
    schedule: "cron(15 14,15,16,18,20 ? * MON-FRI *)",
    timeoutSeconds: 120,
  },
} as const satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;
