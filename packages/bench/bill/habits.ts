import type { RouteKey } from "@svc/functions/routes";

/** How often a person calls what, on a working day, in an order in which each call succeeds. */
export const callsPerDay = {
  "GET /auth/me": 4,
  "GET /team/{id}/members": 2,
  "GET /api/v1/projects": 4,
  "POST /api/v1/time-entries/start": 5,
  "GET /api/v1/time-entries/running": 10,
  "POST /api/v1/time-entries/stop": 5,
  "GET /api/v1/time-entries": 6,
  "POST /auth/login": 0.2,
  "POST /api/upload/avatar": 0.005,
} as const satisfies Partial<Record<RouteKey, number>>;

export type Call = keyof typeof callsPerDay;

/** What nobody can measure beforehand. Everything else is measured, or a price. */
export const habits = {
  daysPerMonth: 22,
  hoursPerDay: 8,
  /** The busiest minutes over the mean of the working hours. */
  peak: 3,
  teamSize: 10,
  /** Calls that meet no warm instance, where many functions share the load. */
  coldShare: 0.01,
  /** Instances that are kept though they are not working, each with its connection, for one that works. */
  idlePerBusy: 2,
  /** A statement and its answer between Lambda and Aurora DSQL, and a call of the bucket in the other region. */
  databaseRoundTripMs: 3,
  bucketCallMs: 60,
  /** Aurora DSQL's own work, on a statement and on each row that it finds. */
  databaseMsPerStatement: 2,
  databaseMsPerRow: 0.05,
  /** One stored picture of 400 x 400, and one answer of the API with its headers. */
  pictureKB: 20,
  answerKB: 2.5,
  /** Of the web client: once a week, compressed. */
  clientKBPerDay: 100,
  /** What a call leaves in the logs: our line, Lambda's three and the gateway's. */
  logKB: 1.4,
  /** Registration, resets, notices of changes. */
  mailsPerMonth: 0.3,
  /** What is kept: two years of it. */
  monthsKept: 24,
  /** An entry, a row of the audit log or any other, with the indexes over it. */
  rowKB: 1.5,
};

export type Habits = typeof habits;
