import { jobs } from "@svc/functions/jobs";
import { expect, test } from "vitest";
import { nextDue } from "./schedule-expression.ts";

/** Returns when rates are refreshed after a time, in the time zone of Frankfurt. */
function runs(after: string, count: number): string[] {
  const frankfurt = new Intl.DateTimeFormat("en-GB", {
    timeZone: "Europe/Berlin",
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  const times: string[] = [];
  let at = new Date(after);
  while (times.length < count) {
    const next = nextDue(jobs["refresh-rates"].schedule, at, at);
    if (!next) break;
    times.push(frankfurt.format(next));
    at = next;
  }
  return times;
}

test.each([
  [
    "summer",
    "2026-07-10T00:00:00Z",
    ["Fri 16:15", "Fri 17:15", "Fri 18:15", "Fri 20:15", "Fri 22:15", "Mon 16:15"],
  ],
  [
    "winter",
    "2026-11-20T00:00:00Z",
    ["Fri 15:15", "Fri 16:15", "Fri 17:15", "Fri 19:15", "Fri 21:15", "Mon 15:15"],
  ],
])("in %s, the refresh-rates job runs at 16:15 in Frankfurt on weekdays and again later", (_, after, times) =>
  expect(runs(after, 6).map((time) => time.replace(",", ""))).toEqual(times),
);
