import type { Call, Habits } from "./habits.ts";
import { type Item, type Price, prices, type Quota, type Tier } from "./prices.ts";

/** One call of one endpoint, as it was measured. */
export type Measured = {
  /** Processor time of one whole processor. */
  cpuMs: number;
  statements: number;
  /** Rows that statements returned or changed. */
  rowsRead: number;
  rowsWritten: number;
  /** Rows that are there afterwards and were not before. */
  rowsKept: number;
  bucketWrites: number;
  /** Different signed addresses in the answer: each is a picture that a browser fetches. */
  pictures: number;
  memoryMB: number;
};

export type Model = {
  habits: Habits;
  callsPerDay: Readonly<Record<Call, number>>;
  measured: Readonly<Record<Call, Measured>>;
  /** Init of a typical function, on a whole processor. */
  initMs: number;
};

/** Lambda gives a whole processor at this size, and a share of one below it. */
export const wholeProcessorMB = 1769;

/** What a quantity costs when each tier's price counts for the part of it that lies in the tier. */
export function tiered(quantity: number, tiers: readonly Tier[], per = 1): number {
  let from = 0;
  let usd = 0;
  for (const { upTo, usd: price } of tiers) {
    usd += (Math.max(0, Math.min(quantity, upTo) - from) / per) * price;
    from = upTo;
  }
  return usd;
}

/** How long a call keeps its instance busy: work on its share of a processor, and waiting for what is far away. */
export function durationMs(measured: Measured, habits: Habits): number {
  return (
    measured.cpuMs / processorShare(measured) +
    measured.statements * habits.databaseRoundTripMs +
    measured.bucketWrites * habits.bucketCallMs
  );
}

function processorShare({ memoryMB }: Measured): number {
  return Math.min(1, memoryMB / wholeProcessorMB);
}

/** How long it is billed: whole milliseconds, and since August 2025 the init of a cold call too. */
export function billedMs(measured: Measured, { habits, initMs }: Model): number {
  return Math.ceil(durationMs(measured, habits)) + (habits.coldShare * initMs) / processorShare(measured);
}

/**
 * Distributed processing units of one call, by the formula of Aurora DSQL's documentation ("How billing works"): a unit for a
 * second of work, 0.00375 for each read of up to 2 KiB, 0.05 for each KiB written. Indexes are written with their rows.
 */
export function dpu({ statements, rowsRead, rowsWritten }: Measured, habits: Habits): number {
  const { rowKB, databaseMsPerStatement, databaseMsPerRow } = habits;
  const computeMs = databaseMsPerStatement * statements + databaseMsPerRow * rowsRead;
  const reads = Math.max(statements, (rowsRead * rowKB) / 2);
  return computeMs / 1000 + reads * 0.00375 + rowsWritten * Math.ceil(rowKB) * 0.05;
}

type Quantities = Record<Item, number>;

/** What one person uses in a month. */
export function perPerson(model: Model): Quantities {
  const { habits, callsPerDay, measured } = model;
  const sum = (of: (measured: Measured) => number) =>
    habits.daysPerMonth *
    total(Object.entries(callsPerDay), ([call, times]) => times * of(measured[call as Call]));
  const calls = sum(() => 1);
  const pictures = sum((one) => one.pictures);
  return {
    lambdaRequests: calls,
    lambdaCompute: sum((one) => (billedMs(one, model) / 1000) * (one.memoryMB / 1024)),
    gateway: calls,
    dsqlUnits: sum((one) => dpu(one, habits)),
    dsqlStorage: (sum((one) => one.rowsKept) * habits.monthsKept * habits.rowKB) / 1e6,
    s3Storage: habits.pictureKB / 1e6,
    s3Writes: sum((one) => one.bucketWrites),
    s3Reads: pictures,
    s3Out: (pictures * habits.pictureKB) / 1e6,
    cloudFrontRequests: calls,
    cloudFrontFunctions: calls,
    cloudFrontOut: (calls * habits.answerKB + habits.daysPerMonth * habits.clientKBPerDay) / 1e6,
    mails: habits.mailsPerMonth,
    logs: (calls * habits.logKB) / 1e6,
  };
}

export type BillLine = { item: Item; quantity: number; usd: number };

/** The bill of a month, the dearest first. */
export function bill(people: number, model: Model, list: Record<Item, Price> = prices): BillLine[] {
  const each = perPerson(model);
  return (Object.keys(list) as Item[])
    .map((item) => {
      const quantity = each[item] * people;
      return { item, quantity, usd: tiered(quantity, list[item].tiers, list[item].per) };
    })
    .sort((a, b) => b.usd - a.usd);
}

/** What the busiest minutes ask for, for one person. */
export function peakPerPerson(model: Model) {
  const { habits, callsPerDay, measured } = model;
  const perSecond = habits.peak / (habits.hoursPerDay * 3600);
  const sum = (of: (measured: Measured) => number) =>
    perSecond * total(Object.entries(callsPerDay), ([call, times]) => times * of(measured[call as Call]));
  const busy = sum((one) => billedMs(one, model) / 1000);
  return {
    requestsPerSecond: sum(() => 1),
    busyInstances: busy,
    connections: busy * (1 + habits.idlePerBusy),
    connectsPerSecond: habits.coldShare * sum(() => 1),
    picturesPerSecond: sum((one) => one.pictures),
  };
}

/** How many people there may be before a quota is met. */
export function peopleAt(quota: Pick<Quota, "value">, perPerson: number): number {
  return Math.floor(quota.value / perPerson);
}

function total<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((sum, one) => sum + of(one), 0);
}
