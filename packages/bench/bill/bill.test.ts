import { expect, test } from "vitest";
import { backupDays } from "../../../stacks/stage.ts";
import {
  bill,
  billedMs,
  dpu,
  durationMs,
  type Measured,
  type Model,
  peakPerUser,
  perUser,
  tiered,
  usersAt,
} from "./bill.ts";
import { callsPerDay, habits } from "./habits.ts";
import { type Item, prices } from "./prices.ts";

const one: Measured = {
  cpuMs: 2,
  statements: 3,
  rowsRead: 10,
  rowsWritten: 1,
  rowsKept: 0.5,
  indexEntries: 3,
  writtenKiB: 2,
  keptKB: 0.6,
  eventKB: 0.4,
  bucketWrites: 0,
  pictures: 1,
  memoryMB: 1769 / 2,
};
const none: Measured = {
  ...one,
  cpuMs: 0,
  statements: 0,
  rowsRead: 0,
  rowsWritten: 0,
  rowsKept: 0,
  indexEntries: 0,
  writtenKiB: 0,
  keptKB: 0,
  eventKB: 0,
  pictures: 0,
};

/** A model with one request per day to one endpoint. */
const model: Model = {
  habits: { ...habits, daysPerMonth: 20, databaseRoundTripMs: 5, coldShare: 0.1, hoursPerDay: 1, peak: 2 },
  callsPerDay: {
    ...(Object.fromEntries(Object.keys(callsPerDay).map((call) => [call, 0])) as Model["callsPerDay"]),
    "GET /auth/me": 1,
  },
  measured: {
    ...(Object.fromEntries(Object.keys(callsPerDay).map((call) => [call, none])) as Model["measured"]),
    "GET /auth/me": one,
  },
  initMs: 100,
};

test.each([
  [0, 0],
  [5, 10],
  [10, 20],
  [15, 25],
])("charges each tier's price for the part of the quantity %d within the tier", (quantity, usd) => {
  expect(
    tiered(quantity, [
      { upTo: 10, usd: 2 },
      { upTo: Number.POSITIVE_INFINITY, usd: 1 },
    ]),
  ).toBe(usd);
});

test("tiered divides a price per thousand by a thousand", () => {
  expect(tiered(500, [{ upTo: Number.POSITIVE_INFINITY, usd: 0.1 }], 1000)).toBeCloseTo(0.05, 12);
});

test("durationMs doubles the work, but not the waiting, on half a processor", () => {
  expect(durationMs(one, model.habits)).toBe(2 * 2 + 3 * 5);
  expect(durationMs({ ...one, memoryMB: 10_240 }, model.habits)).toBe(2 + 3 * 5);
});

test("durationMs includes waiting for the bucket", () => {
  expect(durationMs({ ...one, bucketWrites: 2 }, model.habits)).toBe(19 + 2 * habits.bucketCallMs);
});

test("billedMs rounds up to milliseconds and adds the share of cold starts", () => {
  expect(billedMs({ ...one, cpuMs: 2.1 }, model)).toBe(20 + 0.1 * 200);
});

test("dpu adds units for work, reads and writes", () => {
  // 6.5 ms of work; ten rows of 1.5 kB make 7.5 reads; two KiB are written.
  expect(dpu(one, model.habits)).toBeCloseTo(0.0065 + 7.5 * 0.00375 + 2 * 0.05, 12);
  expect(dpu({ ...one, rowsRead: 0, writtenKiB: 0 }, model.habits)).toBeCloseTo(0.006 + 3 * 0.00375, 12);
});

test("perUser multiplies a day's quantities by the working days of a month", () => {
  const month = perUser(model);
  expect(month.lambdaRequests).toBe(20);
  expect(month.s3Reads).toBe(20);
  expect(month.lambdaCompute).toBeCloseTo(20 * 0.039 * (1769 / 2 / 1024), 9);
  expect(month.dsqlStorage).toBeCloseTo((20 * 24 * (0.6 + 0.4)) / 1e6, 12);
});

test("perUser keeps events for the retention of audit logs, and a complete copy of everything for each day of backups", () => {
  const month = perUser({ ...model, habits: { ...model.habits, monthsKept: 10, auditMonthsKept: 12 } });
  expect(month.dsqlStorage).toBeCloseTo((20 * (10 * 0.6 + 12 * 0.4)) / 1e6, 12);
  expect(month.dsqlBackups).toBeCloseTo(backupDays * month.dsqlStorage, 12);
});

test("bill charges the firewall once, and its requests for each user", () => {
  const usd = (users: number, item: Item) => bill(users, model).find((line) => line.item === item)?.usd;
  expect([usd(0, "firewall"), usd(0, "firewallRules"), usd(0, "firewallRequests")]).toEqual([5, 5, 0]);
  expect([usd(1e6, "firewall"), usd(1e6, "firewallRequests")]).toEqual([5, expect.closeTo(20 * 0.6, 9)]);
});

test("bill grows with the number of users and lists the most expensive line first", () => {
  const small = bill(1000, model);
  const large = bill(2000, model);
  expect(small).toHaveLength(Object.keys(prices).length);
  expect(small.map(({ usd }) => usd)).toEqual(small.map(({ usd }) => usd).toSorted((a, b) => b - a));
  const gateway = (lines: typeof small) => lines.find(({ item }) => item === "gateway")?.usd ?? Number.NaN;
  expect(gateway(small)).toBeCloseTo((20_000 / 1e6) * 1.2, 12);
  expect(gateway(large)).toBeCloseTo(2 * gateway(small), 12);
});

test("usersAt returns the number of users that the load of the busiest minutes allows", () => {
  const peak = peakPerUser(model);
  expect(peak.requestsPerSecond).toBeCloseTo(2 / 3600, 12);
  expect(
    peakPerUser({ ...model, callsPerDay: { ...model.callsPerDay, "POST /auth/login": 3 } }),
  ).toMatchObject({
    requestsPerSecond: expect.closeTo(8 / 3600, 12),
    busiestRoutePerSecond: expect.closeTo(6 / 3600, 12),
  });
  expect(peak.busyInstances).toBeCloseTo((2 / 3600) * 0.039, 12);
  expect(peak.connections).toBeCloseTo(3 * peak.busyInstances, 12);
  expect(usersAt({ value: 100 }, peak.requestsPerSecond)).toBe(180_000);
  expect(usersAt({ value: 100 }, peak.connectsPerSecond)).toBe(1_800_000);
});
