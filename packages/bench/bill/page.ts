import { routes } from "@svc/functions/routes";
import { throttling } from "../../../stacks/stage.ts";
import {
  type BillLine,
  bill,
  billedMs,
  dpu,
  type Measured,
  type Model,
  peakPerPerson,
  peopleAt,
  wholeProcessorMB,
} from "./bill.ts";
import { type Call, habits } from "./habits.ts";
import { type Price, prices, quotas } from "./prices.ts";

const sizes = { "1 thousand": 1e3, "1 million": 1e6, "100 million": 1e8 };

/** The page about the bill, in Markdown. */
export function page(model: Model, how: string): string {
  return [
    "# The bill",
    "",
    "What a month costs at 1 thousand, 1 million and 100 million people who work with it every working day, and which limits are met first. Made by `npm run bill`: measured calls (the table at the end) times habits and prices, which are plain inputs in `packages/bench/bill/`. List prices in US dollars, without tax, free tier, discount or support. Nothing of it was compared with a real bill.",
    "",
    costs(model),
    notes(model),
    limits(model),
    "## Inputs",
    "",
    calls(model, how),
    assumptions(),
    priceList(),
  ].join("\n");
}

function costs(model: Model): string {
  const bills = Object.values(sizes).map((people) => bill(people, model));
  const totals = bills.map(total);
  const [largest = []] = bills.slice(-1);
  const rows = largest.map(({ item }) => {
    const cells = bills.map((lines, at) => {
      const usd = lines.find((line) => line.item === item)?.usd ?? 0;
      return `${money(usd)} (${percent(usd / (totals[at] ?? 1))})`;
    });
    return `| ${prices[item].what} | ${cells.join(" | ")} |`;
  });
  return [
    "## A month",
    "",
    `| US dollars | ${Object.keys(sizes).join(" | ")} |`,
    "|---|---|---|---|",
    ...rows,
    `| **together** | ${totals.map((usd) => `**${money(usd)}**`).join(" | ")} |`,
    `| a person | ${totals.map((usd, at) => (usd / (Object.values(sizes)[at] ?? 1)).toFixed(4)).join(" | ")} |`,
    "",
  ].join("\n");
}

function notes(model: Model): string {
  const sentences = Object.entries(sizes).map(([name, people]) => {
    const lines = bill(people, model);
    const [first, second, third] = lines.map(
      ({ item, usd }) => `${prices[item].what} (${percent(usd / total(lines))})`,
    );
    return `- At ${name}: ${first}, then ${second} and ${third}.`;
  });
  return [
    "What dominates:",
    "",
    ...sentences,
    "",
    "What to do about it: fewer calls count in six lines at once (gateway, CloudFront twice, Lambda twice, logs), so `GET /api/v1/time-entries/running`, the most frequent one, is the first to be polled less. A picture that is shown again under a new signed URL is fetched again, since every answer signs anew: a client that keeps the URL it has while the picture's key is the same, for up to seven days, takes most of S3's lines away. Logs shrink by sampling the lines of successful calls; Compute Savings Plans take 12 to 17 % off Lambda.",
    "",
  ].join("\n");
}

function limits(model: Model): string {
  const peak = peakPerPerson(model);
  const each = {
    storageGB: perPersonStorage(model),
    mailsPerDay: habits.mailsPerMonth / habits.daysPerMonth,
  };
  const met: [string, number, number, string][] = [
    [
      "our own throttling (`stacks/stage.ts`), requests a second",
      throttling.throttlingRateLimit,
      peak.requestsPerSecond,
      "raise it with the load that is expected: it bounds what a runaway client can cost",
    ],
    [
      "SES, mails a day",
      quotas.mailsPerDay.value,
      each.mailsPerDay,
      "ask for more weeks ahead, with bounces under 2 %; SMTP_URL may name any other service",
    ],
    [
      "Lambda, calls at once",
      quotas.lambdaConcurrency.value,
      peak.busyInstances,
      "ask for more; tens of thousands are granted. Reserve some for login, so that reports cannot starve it",
    ],
    [
      "API Gateway, requests a second and region",
      quotas.gatewayPerSecond.value,
      peak.requestsPerSecond,
      "ask for more; then an API per group of routes behind the one CloudFront router, in accounts of their own",
    ],
    [
      "Aurora DSQL, connections",
      quotas.dsqlConnections.value,
      peak.connections,
      "ask for more; merge rarely used routes into one function, whose instances then share connections; then a cluster per group of workspaces",
    ],
    [
      "Aurora DSQL, new connections a second",
      quotas.dsqlConnectsPerSecond.value,
      peak.connectsPerSecond,
      "not raisable (a burst of 1,000 helps a deploy): instances that live on, so provisioned concurrency for the busiest routes; the pool already connects lazily and once; then a cluster per group of workspaces",
    ],
    [
      "Aurora DSQL, storage in GB",
      quotas.dsqlStorageGB.value,
      each.storageGB,
      "up to 128 TiB on request; move audit rows older than two years into the file bucket",
    ],
    [
      "S3, GET a second for one prefix",
      quotas.s3ReadsPerSecond.value,
      peak.picturesPerSecond,
      "S3 splits prefixes under load by itself, and keys begin with the person's id; CloudFront with signed URLs in front",
    ],
    [
      "CloudFront, requests a second",
      quotas.cloudFrontPerSecond.value,
      peak.requestsPerSecond,
      "ask for more, or a distribution per region",
    ],
  ];
  const rows = met
    .map(([name, value, demand, remedy]) => ({ name, value, people: peopleAt({ value }, demand), remedy }))
    .toSorted((a, b) => a.people - b.people)
    .map(({ name, value, people, remedy }) => `| ${name} | ${count(value)} | ${count(people)} | ${remedy} |`);
  const peaks = Object.entries(sizes).map(
    ([name, people]) =>
      `${count(peak.requestsPerSecond * people)} requests a second and ${count(peak.busyInstances * people)} instances at ${name}`,
  );
  const routeCount = Object.keys(routes).length;
  return [
    "## Which limits are met first",
    "",
    `The busiest minutes: ${peaks.join(", ")}.`,
    "",
    "| limit | default | met at people | what to do |",
    "|---|---|---|---|",
    ...rows,
    "",
    `Not a matter of people: an HTTP API takes ${quotas.routesPerApi.value} routes (raisable) and ${quotas.integrationsPerApi.value} integrations (not raisable); we have ${routeCount} of each. Beyond, a second API for another prefix behind the same router. A group of workspaces with a database of its own is the way past DSQL's limits, and the design allows it: nothing joins over workspaces but the list of a person's own.`,
    "",
  ].join("\n");
}

function perPersonStorage(model: Model): number {
  return bill(1, model).find(({ item }) => item === "dsqlStorage")?.quantity ?? Number.NaN;
}

function calls({ measured, callsPerDay, ...model }: Model, how: string): string {
  const rows = (Object.entries(measured) as [Call, Measured][]).map(([call, one]) => {
    const ms = billedMs(one, { measured, callsPerDay, ...model });
    const gbSeconds = (ms / 1000) * (one.memoryMB / 1024);
    return `| ${call} | ${callsPerDay[call]} | ${one.cpuMs.toFixed(1)} | ${one.statements.toFixed(1)} | ${one.rowsRead.toFixed(0)} / ${one.rowsWritten.toFixed(1)} / ${one.rowsKept.toFixed(1)} | ${one.pictures.toFixed(0)} | ${one.memoryMB} | ${ms.toFixed(0)} | ${gbSeconds.toFixed(4)} | ${dpu(one, habits).toFixed(3)} |`;
  });
  return [
    `Calls, as measured on one core of the machine (${how}), and what follows for Lambda, where ${wholeProcessorMB} MB stand for a whole processor:`,
    "",
    "| call | a day | processor ms | statements | rows read / written / kept | pictures | MB | billed ms | GB-s | DPU |",
    "|---|---|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function assumptions(): string {
  const rows = Object.entries(habits).map(([name, value]) => `| ${name} | ${value} |`);
  return [
    "Habits (`habits.ts` says what each means):",
    "",
    "| habit | value |",
    "|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function priceList(): string {
  const rows = Object.values<Price>(prices).map(({ what, unit, tiers, source, asOf, unconfirmed }) => {
    const steps = tiers
      .map(({ upTo, usd }) => (Number.isFinite(upTo) ? `${usd} up to ${count(upTo)}` : `${usd}`))
      .join(", then ");
    return `| ${what} | ${steps} | ${unit} | ${asOf} | ${source} | ${unconfirmed ?? ""} |`;
  });
  const sources = Object.entries(quotas).map(
    ([name, { value, asOf, source, raisable }]) =>
      `| ${name} | ${count(value)} | ${raisable ? "yes" : "no"} | ${asOf} | ${source} |`,
  );
  return [
    "Prices, Frankfurt and for the buckets Zurich:",
    "",
    "| what | US dollars | per | as of | source | to be checked |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    "Limits:",
    "",
    "| limit | default | raisable | as of | source |",
    "|---|---|---|---|---|",
    ...sources,
    "",
    "Left out: backups, alarms, KMS, data between the two regions, and everything that happens by the clock, which is under a dollar.",
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
