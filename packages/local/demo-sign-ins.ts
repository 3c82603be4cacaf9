import type { RequestOrigin } from "@svc/core/base/actor";
import { newId } from "@svc/core/base/id";
import type { Location } from "@svc/core/base/location";
import * as Event from "@svc/core/event/event";
import * as FailedSignIn from "@svc/core/identity/sign-in/failed-sign-in";
import type { Method } from "@svc/core/identity/sign-in/login-history";
import * as SignInRecord from "@svc/core/identity/sign-in/sign-in-record";
import { transaction } from "@svc/core/platform/db/transaction";

/**
 * Made-up locations of addresses that are reserved for documentation (RFC 5737, RFC 3849), which no network uses. Two
 * for each person: at home and on a journey.
 */
const locations: readonly (readonly [
  ip: string,
  country: string,
  city: string,
  latitude: number,
  longitude: number,
])[] = [
  ["192.0.2.10", "CH", "Zürich", 47.38, 8.54],
  ["198.51.100.140", "GB", "London", 51.51, -0.13],
  ["192.0.2.44", "DE", "Berlin", 52.52, 13.4],
  ["203.0.113.77", "JP", "Tokyo", 35.68, 139.69],
  ["192.0.2.97", "PL", "Warsaw", 52.23, 21.01],
  ["198.51.100.23", "FR", "Paris", 48.86, 2.35],
  ["198.51.100.61", "PT", "Lisbon", 38.72, -9.14],
  ["203.0.113.5", "US", "New York", 40.71, -74.01],
  ["203.0.113.130", "BR", "São Paulo", -23.55, -46.63],
  ["2001:db8:1::5", "NO", "Oslo", 59.91, 10.75],
  ["2001:db8:2::9", "KE", "Nairobi", -1.29, 36.82],
  ["2001:db8:3::2", "IN", "Mumbai", 19.08, 72.88],
];

const browsers = [
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
];

/** When each person signed in, in hours before now. The first people, whom the sign-in page offers, signed in more often. */
const often = [1320, 960, 700, 490, 330, 170, 74, 5];
const seldom = [640, 51];

/** The person with failed sign-ins before the last one, which is suspicious therefore. */
const attacked = { name: "Priya Sharma", failures: 6 };

type Person = { id: string; name: string };

/** Adds sign-ins of these people from made-up locations, with their devices and entries of the audit log. Sends no email. */
export async function addSignIns(people: readonly Person[], now: Date): Promise<void> {
  for (const [number, person] of people.entries()) {
    const times = number < 4 ? often : seldom;
    for (const [turn, hours] of times.entries()) {
      const at = new Date(now.getTime() - (hours + (number % 7) / 2) * 3_600_000);
      const isLast = turn === times.length - 1;
      if (isLast && person.name === attacked.name) await addFailures(person, at);
      // Every third sign-in is on a journey, and with the other device.
      await addSignIn(
        person,
        origin(number, turn % 3 === 2, at),
        number % 3 === 0 ? "passkey" : "password",
        at,
      );
    }
  }
}

function origin(number: number, away: boolean, at: Date) {
  const [ip, country, city, latitude, longitude] = locations[
    (number * 5 + (away ? 1 : 0)) % locations.length
  ] as (typeof locations)[number];
  const userAgent = browsers[(number + (away ? 2 : 0)) % browsers.length] as string;
  const viewer: Location = { country, city, latitude, longitude };
  return { ip, userAgent, requestId: newId("req", at), viewer };
}

async function addSignIn(
  user: Person,
  from: RequestOrigin & { viewer: Location },
  method: Method,
  at: Date,
): Promise<void> {
  const target = { type: "user", ...user } as const;
  const changes = Event.changes({}, { method });
  await transaction(async (tx) => {
    await SignInRecord.record(
      tx,
      { user, device: { name: undefined }, origin: from, location: from.viewer, method },
      at,
    );
    await Event.record(tx, { ...from, userId: user.id }, { action: "user.logged_in", target, changes }, at);
  });
}

async function addFailures(user: Person, before: Date): Promise<void> {
  for (let failure = attacked.failures; failure > 0; failure--) {
    const at = new Date(before.getTime() - failure * 90_000);
    await FailedSignIn.record(user, origin(8, false, at), "password", at);
  }
}
