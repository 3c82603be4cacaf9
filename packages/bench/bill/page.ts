import { migrations } from "@svc/core/platform/db/migrations";
import { type Job, jobs } from "@svc/functions/jobs";
import { routes } from "@svc/functions/routes";
import { throttles } from "../../../stacks/limits.ts";
import { backupDays } from "../../../stacks/stage.ts";
import {
  type BillLine,
  bill,
  billedMs,
  dpu,
  fullProcessorMB,
  type Measured,
  type Model,
  peakPerUser,
  usersAt,
} from "./bill.ts";
import { type Call, habits } from "./habits.ts";
import { type Item, type Price, prices, quotas } from "./prices.ts";

const sizes = { "1 thousand": 1e3, "1 million": 1e6, "100 million": 1e8 };

/** Renders the bill as a Markdown page. `environment` describes what the measurements ran on. */
export function page(model: Model, environment: string): string {
  return [
    "# The bill",
    "",
    "An estimate of the monthly AWS bill for 1 thousand, 1 million and 100 million users who use the service every working day, and of the limits that they reach first. `npm run bill` calculates it from measured requests (see [Inputs](#inputs)), and from the assumptions and prices in `packages/bench/bill/`. Prices are list prices in US dollars, without tax, free tier, discounts or support. The estimate has not been compared with a real bill.",
    "",
    costs(model),
    notes(model),
    retention(model),
    limits(model),
    cells(model),
    "## Inputs",
    "",
    calls(model, environment),
    assumptions(),
    priceList(),
  ].join("\n");
}

function costs(model: Model): string {
  const bills = Object.values(sizes).map((users) => bill(users, model));
  const totals = bills.map(total);
  const [largest = []] = bills.slice(-1);
  const rows = largest.map(({ item }) => {
    const cells = bills.map((lines, at) => {
      const usd = lines.find((line) => line.item === item)?.usd ?? 0;
      return `${money(usd)} (${percent(usd / (totals[at] ?? 1))})`;
    });
    return `| ${prices[item].name} | ${cells.join(" | ")} |`;
  });
  return [
    "## Cost per month",
    "",
    `| US dollars | ${Object.keys(sizes).join(" | ")} |`,
    "|---|---|---|---|",
    ...rows,
    `| **total** | ${totals.map((usd) => `**${money(usd)}**`).join(" | ")} |`,
    `| per user | ${totals.map((usd, at) => (usd / (Object.values(sizes)[at] ?? 1)).toFixed(4)).join(" | ")} |`,
    "",
  ].join("\n");
}

function notes(model: Model): string {
  const sentences = Object.entries(sizes).map(([name, users]) => {
    const lines = bill(users, model);
    const [first, second, third] = lines.map(
      ({ item, usd }) => `${prices[item].name} (${percent(usd / total(lines))})`,
    );
    return `- At ${name}: ${first}, then ${second} and ${third}.`;
  });
  return [
    "The largest items:",
    "",
    ...sentences,
    "",
    "Ways to reduce the bill:",
    "",
    `- Keep backups for a shorter time: each of the ${backupDays} daily backups (\`backupDays\` in \`stacks/stage.ts\`) is a complete copy of the cluster.`,
    "- Set `AUDIT_RETENTION_DAYS` ([below](#retention)).",
    "- Drop an index that no query needs: its entries are stored, backed up and written with every row.",
    "- Send fewer requests. Each request counts in six lines (gateway, CloudFront twice, Lambda twice, logs). The most frequent one is `GET /api/v1/time-entries/running`, so poll it less often first.",
    "- Reuse signed URLs in the client. Every response signs new URLs, so a client that uses each of them fetches the picture again each time. A client that reuses a URL for up to seven days, while its path stays the same, saves most of the S3 lines; the web client reuses it for half a day while a page is open.",
    "- Sample the log lines of successful requests.",
    "- Buy Compute Savings Plans, which take 12 to 17 % off Lambda.",
    "",
  ].join("\n");
}

/** Renders what storage and backups cost by the retention of audit logs. */
function retention(model: Model): string {
  const months = [12, model.habits.auditMonthsKept, 60];
  const rows = months.map((auditMonthsKept) => {
    const lines = bill(1e6, { ...model, habits: { ...model.habits, auditMonthsKept } });
    const usd = (item: Item) => lines.find((line) => line.item === item)?.usd ?? 0;
    return `| ${auditMonthsKept} | ${money(usd("dsqlStorage"))} | ${money(usd("dsqlBackups"))} | ${money(total(lines))} |`;
  });
  return [
    "## Retention",
    "",
    `Events, which are the audit log, are kept without end unless \`AUDIT_RETENTION_DAYS\` is set. Other rows are assumed to accumulate for ${model.habits.monthsKept} months. For 1 million users:`,
    "",
    "| months of audit log | storage | backups | total |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

/** Renders how many users one cluster serves, and how many clusters the sizes need. */
function cells(model: Model): string {
  const peak = peakPerUser(model);
  const ends = [
    {
      name: "limit of new connections per second",
      users: usersAt(quotas.dsqlConnectsPerSecond, peak.connectsPerSecond),
    },
    {
      name: `largest storage of ${count(quotas.dsqlMaxStorageGB.value)} GB`,
      users: usersAt(quotas.dsqlMaxStorageGB, storagePerUser(model)),
    },
  ].toSorted((a, b) => a.users - b.users);
  const [{ name, users } = { name: "", users: Number.NaN }] = ends;
  const needed = Object.entries(sizes).map(([size, all]) => `${count(Math.ceil(all / users))} at ${size}`);
  return [
    "## Where one cluster ends",
    "",
    `One Aurora DSQL cluster serves up to ${count(users)} users: then it reaches its ${name}, which AWS does not raise. ${ends
      .slice(1)
      .map((end) => `Its ${end.name} would be enough for ${count(end.users)} users.`)
      .join(" ")} Other limits of a cluster, such as transactions per second, are not published.`,
    "",
    `Beyond that the service is divided into cells. A cell is a stage with its own AWS account, cluster, buckets and API, and holds a group of workspaces: ${needed.join(", ")}. Rows of different workspaces are joined only in the list of a user's workspaces, and an account with its sessions belongs to no workspace. So the router has to send a request to the cell of its workspace, accounts need a cell of their users, and a user of workspaces in two cells is known in both. None of this is built. Begin at half of the limit, because moving a workspace takes time.`,
    "",
  ].join("\n");
}

function limits(model: Model): string {
  const peak = peakPerUser(model);
  const each = {
    storageGB: storagePerUser(model),
    mailsPerDay: habits.mailsPerMonth / habits.daysPerMonth,
  };
  const limits: [string, number, number, string][] = [
    [
      "`read` in `SVC_THROTTLES`, requests per second to one route",
      throttles.read,
      peak.busiestRoutePerSecond,
      "raise it with the expected load; it bounds the cost of a runaway client",
    ],
    [
      "SES, emails per day",
      quotas.mailsPerDay.value,
      each.mailsPerDay,
      "request an increase weeks ahead, with a bounce rate under 2 %; `SMTP_URL` can name another service",
    ],
    [
      "Lambda, concurrent executions",
      quotas.lambdaConcurrency.value,
      peak.busyInstances,
      "request an increase; tens of thousands are granted; reserve concurrency for sign-in, so that reports cannot starve it",
    ],
    [
      "API Gateway, requests per second and region",
      quotas.gatewayPerSecond.value,
      peak.requestsPerSecond,
      "request an increase; then use one API per group of routes in separate accounts, behind the same CloudFront distribution",
    ],
    [
      "Aurora DSQL, connections",
      quotas.dsqlConnections.value,
      peak.connections,
      "request an increase; merge rarely used routes into one function, whose instances then share connections; then [cells](#where-one-cluster-ends)",
    ],
    [
      "Aurora DSQL, new connections per second",
      quotas.dsqlConnectsPerSecond.value,
      peak.connectsPerSecond,
      "cannot be raised (a burst of 1,000 helps a deployment); keep instances alive with provisioned concurrency for the busiest routes (each instance already connects lazily and once); then [cells](#where-one-cluster-ends)",
    ],
    [
      "Aurora DSQL, storage in GB",
      quotas.dsqlStorageGB.value,
      each.storageGB,
      "request up to 128 TiB; set `AUDIT_RETENTION_DAYS`; then [cells](#where-one-cluster-ends)",
    ],
    [
      "S3, GET requests per second and prefix",
      quotas.s3ReadsPerSecond.value,
      peak.picturesPerSecond,
      "S3 splits prefixes under load by itself, and keys contain the user's id; then put CloudFront with signed URLs in front",
    ],
    [
      "CloudFront, requests per second",
      quotas.cloudFrontPerSecond.value,
      peak.requestsPerSecond,
      "request an increase, or use one distribution per region",
    ],
  ];
  const rows = limits
    .map(([name, value, demand, remedy]) => ({ name, value, users: usersAt({ value }, demand), remedy }))
    .toSorted((a, b) => a.users - b.users)
    .map(({ name, value, users, remedy }) => `| ${name} | ${count(value)} | ${count(users)} | ${remedy} |`);
  const peaks = Object.entries(sizes).map(
    ([name, users]) =>
      `${count(peak.requestsPerSecond * users)} requests per second and ${count(peak.busyInstances * users)} busy instances at ${name}`,
  );
  const routeCount = Object.keys(routes).length;
  const jobList = Object.values<Job>(jobs);
  const functionCount = routeCount + jobList.length;
  // Each function and each schedule has a role, and AWS Backup has one.
  const roleCount = functionCount + jobList.filter(({ schedule }) => schedule).length + 1;
  const created = (pattern: RegExp) => migrations.filter(({ sql }) => pattern.test(sql)).length;
  return [
    "## Limits reached first",
    "",
    `Load in the busiest minutes: ${peaks.join(", ")}.`,
    "",
    "| limit | default | reached at users | remedy |",
    "|---|---|---|---|",
    ...rows,
    "",
    "Some limits do not depend on users:",
    "",
    "| count | used | limit |",
    "|---|---|---|",
    `| Routes of the HTTP API | ${routeCount} | ${quotas.routesPerApi.value}, can be raised |`,
    `| Integrations of the HTTP API, one for each route | ${routeCount} | ${quotas.integrationsPerApi.value}, cannot be raised; then add a second API for another path prefix behind the same router |`,
    `| Functions: a route or a job each | ${functionCount} | none |`,
    `| IAM roles of a stage | about ${roleCount} | ${count(quotas.rolesPerAccount.value)} in an account, can be raised: ${Math.floor(quotas.rolesPerAccount.value / roleCount)} stages |`,
    `| Tables, secondary indexes | ${created(/CREATE TABLE/)}, ${created(/CREATE (UNIQUE )?INDEX/)} | 1,000 tables in a database, 24 indexes on a table |`,
    "",
  ].join("\n");
}

function storagePerUser(model: Model): number {
  return bill(1, model).find(({ item }) => item === "dsqlStorage")?.quantity ?? Number.NaN;
}

function calls({ measured, callsPerDay, ...model }: Model, environment: string): string {
  const rows = (Object.entries(measured) as [Call, Measured][]).map(([call, one]) => {
    const ms = billedMs(one, { measured, callsPerDay, ...model });
    const gbSeconds = (ms / 1000) * (one.memoryMB / 1024);
    return `| ${call} | ${callsPerDay[call]} | ${one.cpuMs.toFixed(1)} | ${one.statements.toFixed(1)} | ${one.rowsRead.toFixed(0)} / ${one.rowsWritten.toFixed(1)} / ${one.rowsKept.toFixed(1)} | ${one.indexEntries.toFixed(1)} | ${one.writtenKiB.toFixed(1)} | ${one.pictures.toFixed(0)} | ${one.memoryMB} | ${ms.toFixed(0)} | ${gbSeconds.toFixed(4)} | ${dpu(one, habits).toFixed(3)} |`;
  });
  return [
    `Requests, measured on one core (${environment}), and the resulting Lambda usage, where ${fullProcessorMB} MB correspond to a full processor:`,
    "",
    "| request | per day | CPU ms | statements | rows read / written / added | index entries written | KiB written | pictures | MB | billed ms | GB-s | DPU |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function assumptions(): string {
  const rows = Object.entries(habits).map(([name, value]) => `| ${name} | ${value} |`);
  return [
    "Assumptions (explained in `packages/bench/bill/habits.ts`):",
    "",
    "| assumption | value |",
    "|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function priceList(): string {
  const rows = Object.values<Price>(prices).map(({ name, unit, tiers, source, asOf, unconfirmed }) => {
    const steps = tiers
      .map(({ upTo, usd }) => (Number.isFinite(upTo) ? `${usd} up to ${count(upTo)}` : `${usd}`))
      .join(", then ");
    return `| ${name} | ${steps} | ${unit} | ${asOf} | ${source} | ${unconfirmed ?? ""} |`;
  });
  const sources = Object.entries(quotas).map(
    ([name, { value, asOf, source, raisable }]) =>
      `| ${name} | ${count(value)} | ${raisable ? "yes" : "no"} | ${asOf} | ${source} |`,
  );
  return [
    "Prices for Frankfurt, and Zurich for buckets:",
    "",
    "| item | US dollars | per | as of | source | unconfirmed |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    "Limits:",
    "",
    "| limit | default | can be raised | as of | source |",
    "|---|---|---|---|---|",
    ...sources,
    "",
    "Not included: alarms (about five dollars), KMS, versions of removed objects, data transfer between the two regions, and scheduled jobs, which cost less than a dollar.",
    "",
  ].join("\n");
}

function total(lines: readonly BillLine[]): number {
  return lines.reduce((sum, { usd }) => sum + usd, 0);
}

function money(usd: number): string {
  return usd >= 100 ? count(usd) : usd.toFixed(2);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
