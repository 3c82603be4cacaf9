import type { RouteKey } from "@svc/functions/routes";

/** Requests of one user per working day, in an order in which each request succeeds. */
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

/** Assumptions about users and infrastructure. All other inputs are measurements or prices. */
export const habits = {
  daysPerMonth: 22,
  hoursPerDay: 8,
  /** Ratio of the busiest minutes to the mean of the working hours. */
  peak: 3,
  teamSize: 10,
  /** Share of requests that meet a cold instance, because many functions share the load. */
  coldShare: 0.01,
  /** Idle instances, each with a database connection, per busy instance. */
  idlePerBusy: 2,
  /** Round trip between Lambda and Aurora DSQL. */
  databaseRoundTripMs: 3,
  /** A request to the bucket, which is in another region. */
  bucketCallMs: 60,
  /** Aurora DSQL's work per statement and per row that it reads. */
  databaseMsPerStatement: 2,
  databaseMsPerRow: 0.05,
  /** One stored picture of 400 x 400 pixels. */
  pictureKB: 20,
  /** One response of the API with its headers. */
  answerKB: 2.5,
  /** The compressed web client, loaded about once a week. */
  clientKBPerDay: 100,
  /** Log lines of a request: one of the function, three of Lambda and one of the gateway. */
  logKB: 1.4,
  /** Registrations, password resets and notices. */
  mailsPerMonth: 0.3,
  /** Rows other than events accumulate for this long. */
  monthsKept: 24,
  /** Events accumulate for this long: AUDIT_RETENTION_DAYS, or the age of the service. */
  auditMonthsKept: 24,
  /** A row that a query reads. */
  rowKB: 1.5,
};

export type Habits = typeof habits;
