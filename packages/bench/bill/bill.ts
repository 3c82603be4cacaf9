import { backupDays } from "../../../stacks/stage.ts";
import type { Call, Habits } from "./habits.ts";
import { type Item, type Price, prices, type Quota, type Tier } from "./prices.ts";

/** The measured cost of one request to an endpoint. */
export type Measured = {
  /** Processor time on a full processor. */
  cpuMs: number;
  statements: number;
  /** Rows that queries returned. */
  rowsRead: number;
  /** Rows that statements inserted, updated or deleted. */
  rowsWritten: number;
  /** Inserted minus deleted rows. */
  rowsKept: number;
  /** Entries of secondary indexes that were inserted, moved or deleted. */
  indexEntries: number;
  /** KiB of the written rows with these index entries, each row rounded up. */
  writtenKiB: number;
  /** KB of the inserted minus the deleted rows with their index entries, without events. */
  keptKB: number;
  /** KB of the inserted events, which are the audit log, with their index entries. */
  eventKB: number;
  bucketWrites: number;
  /** Distinct signed URLs in the response. A browser fetches a picture for each. */
  pictures: number;
  memoryMB: number;
};

export type Model = {
  habits: Habits;
  callsPerDay: Readonly<Record<Call, number>>;
  measured: Readonly<Record<Call, Measured>>;
  /** Init time of a typical function on a full processor. */
  initMs: number;
};

/** Memory size at which a Lambda function gets a full processor. Smaller functions get a proportional share. */
export const fullProcessorMB = 1769;

/** Returns the price of a quantity in US dollars. Each tier's price applies to the part of the quantity within the tier. */
export function tiered(quantity: number, tiers: readonly Tier[], per = 1): number {
  let from = 0;
  let usd = 0;
  for (const { upTo, usd: price } of tiers) {
    usd += (Math.max(0, Math.min(quantity, upTo) - from) / per) * price;
    from = upTo;
  }
  return usd;
}

/** Returns how many milliseconds a request occupies an instance: work on its processor share, and waiting for the network. */
export function durationMs(measured: Measured, habits: Habits): number {
  return (
    measured.cpuMs / processorShare(measured) +
    measured.statements * habits.databaseRoundTripMs +
    measured.bucketWrites * habits.bucketCallMs
  );
}

function processorShare({ memoryMB }: Measured): number {
  return Math.min(1, memoryMB / fullProcessorMB);
}

/** Returns the billed milliseconds of a request: rounded up, plus its share of cold starts, which are billed since August 2025. */
export function billedMs(measured: Measured, { habits, initMs }: Model): number {
  return Math.ceil(durationMs(measured, habits)) + (habits.coldShare * initMs) / processorShare(measured);
}

/**
 * Returns the distributed processing units (DPU) of one request, by the formula of Aurora DSQL's documentation ("How billing
 * works"): 1 DPU per second of work, 0.00375 per read of up to 2 KiB, 0.05 per KiB written, indexes included.
 */
export function dpu({ statements, rowsRead, writtenKiB }: Measured, habits: Habits): number {
  const { rowKB, databaseMsPerStatement, databaseMsPerRow } = habits;
  const computeMs = databaseMsPerStatement * statements + databaseMsPerRow * rowsRead;
  const reads = Math.max(statements, (rowsRead * rowKB) / 2);
  return computeMs / 1000 + reads * 0.00375 + writtenKiB * 0.05;
}

type Quantities = Record<Item, number>;

/** Returns the quantities that one user consumes in a month. */
export function perUser(model: Model): Quantities {
  const { habits, callsPerDay, measured } = model;
  const sum = (value: (measured: Measured) => number) =>
    habits.daysPerMonth *
    total(Object.entries(callsPerDay), ([call, times]) => times * value(measured[call as Call]));
  const calls = sum(() => 1);
  const pictures = sum((one) => one.pictures);
  const storedGB =
    (sum((one) => one.keptKB) * habits.monthsKept + sum((one) => one.eventKB) * habits.auditMonthsKept) / 1e6;
  return {
    lambdaRequests: calls,
    lambdaCompute: sum((one) => (billedMs(one, model) / 1000) * (one.memoryMB / 1024)),
    gateway: calls,
    dsqlUnits: sum((one) => dpu(one, habits)),
    dsqlStorage: storedGB,
    dsqlBackups: storedGB * backupDays,
    s3Storage: habits.pictureKB / 1e6,
    s3Writes: sum((one) => one.bucketWrites),
    s3Reads: pictures,
    s3Out: (pictures * habits.pictureKB) / 1e6,
    firewallRequests: calls,
    firewall: 0,
    firewallRules: 0,
    cloudFrontRequests: calls,
    cloudFrontFunctions: calls,
    cloudFrontOut: (calls * habits.answerKB + habits.daysPerMonth * habits.clientKBPerDay) / 1e6,
    mails: habits.mailsPerMonth,
    logs: (calls * habits.logKB) / 1e6,
  };
}

/** The quantities that do not depend on the number of users. The stack of production has one web ACL with five rules. */
const fixed: Partial<Quantities> = { firewall: 1, firewallRules: 5 };

export type BillLine = { item: Item; quantity: number; usd: number };

/** Returns the lines of a month's bill, most expensive first. */
export function bill(users: number, model: Model, list: Record<Item, Price> = prices): BillLine[] {
  const each = perUser(model);
  return (Object.keys(list) as Item[])
    .map((item) => {
      const quantity = each[item] * users + (fixed[item] ?? 0);
      return { item, quantity, usd: tiered(quantity, list[item].tiers, list[item].per) };
    })
    .sort((a, b) => b.usd - a.usd);
}

/** Returns the load that one user adds in the busiest minutes. */
export function peakPerUser(model: Model) {
  const { habits, callsPerDay, measured } = model;
  const perSecond = habits.peak / (habits.hoursPerDay * 3600);
  const sum = (value: (measured: Measured) => number) =>
    perSecond * total(Object.entries(callsPerDay), ([call, times]) => times * value(measured[call as Call]));
  const busy = sum((one) => billedMs(one, model) / 1000);
  return {
    requestsPerSecond: sum(() => 1),
    busiestRoutePerSecond: perSecond * Math.max(...Object.values(callsPerDay)),
    busyInstances: busy,
    connections: busy * (1 + habits.idlePerBusy),
    connectsPerSecond: habits.coldShare * sum(() => 1),
    picturesPerSecond: sum((one) => one.pictures),
  };
}

/** Returns the largest number of users that stays within a quota. */
export function usersAt(quota: Pick<Quota, "value">, demandPerUser: number): number {
  return Math.floor(quota.value / demandPerUser);
}

function total<T>(list: readonly T[], value: (item: T) => number): number {
  return list.reduce((sum, item) => sum + value(item), 0);
}
