import { describe, expect, it } from "vitest";
import { db } from "../../platform/db/engine.ts";
import { type Person, person } from "../../testing/people.ts";
import * as Session from "./session.ts";
import * as SessionList from "./session-list.ts";

const origin = { ip: "127.0.0.1", userAgent: "test", requestId: "test" };
const later = (date: Date, milliseconds: number) => new Date(date.getTime() + milliseconds);

async function change(
  { sessionId }: Person,
  values: { expires_at?: Date; last_seen_at?: Date },
): Promise<void> {
  await db().updateTable("sessions").set(values).where("id", "=", sessionId).execute();
}

async function lastSeen({ sessionId }: Person): Promise<Date> {
  const session = await db()
    .selectFrom("sessions")
    .select("last_seen_at")
    .where("id", "=", sessionId)
    .executeTakeFirstOrThrow();
  return session.last_seen_at;
}

/** A user with a session that was last seen at a known time, and their idle timeout in milliseconds. */
async function idleUser() {
  const ada = await person();
  const { idle_timeout_minutes } = await db()
    .selectFrom("users")
    .select("idle_timeout_minutes")
    .where("id", "=", ada.id)
    .executeTakeFirstOrThrow();
  const seen = await lastSeen(ada);
  return { ada, seen, timeout: idle_timeout_minutes * 60_000 };
}

const listed = async ({ id: userId, sessionId }: Person, now: Date) =>
  (await SessionList.list({ userId, sessionId, ...origin }, now)).map(({ id }) => id);

describe("authenticate", () => {
  it("accepts a session until one millisecond before it expires", async () => {
    const ada = await person();
    const expiry = later(await lastSeen(ada), 60_000);
    await change(ada, { expires_at: expiry });
    expect(await Session.authenticate(ada.token, origin, later(expiry, -1))).toMatchObject({
      userId: ada.id,
      sessionId: ada.sessionId,
    });
  });

  it("rejects a session at the instant it expires", async () => {
    const ada = await person();
    const expiry = later(await lastSeen(ada), 60_000);
    await change(ada, { expires_at: expiry });
    await expect(Session.authenticate(ada.token, origin, expiry)).rejects.toMatchObject({
      kind: "unauthenticated",
      code: "session_ended",
    });
  });

  it("accepts a session that was idle for exactly the idle timeout", async () => {
    const { ada, seen, timeout } = await idleUser();
    expect(await Session.authenticate(ada.token, origin, later(seen, timeout))).toMatchObject({
      userId: ada.id,
    });
  });

  it("rejects a session that was idle for one millisecond longer than the idle timeout", async () => {
    const { ada, seen, timeout } = await idleUser();
    await expect(Session.authenticate(ada.token, origin, later(seen, timeout + 1))).rejects.toMatchObject({
      code: "session_ended",
    });
  });

  it("updates the last activity after 30 seconds, and not earlier", async () => {
    const ada = await person();
    const seen = await lastSeen(ada);
    await Session.authenticate(ada.token, origin, later(seen, Session.touchSeconds * 1000 - 1));
    expect(await lastSeen(ada)).toEqual(seen);
    const due = later(seen, Session.touchSeconds * 1000);
    await Session.authenticate(ada.token, origin, due);
    expect(await lastSeen(ada)).toEqual(due);
  });
});

describe("SessionList.list", () => {
  it("lists a session until it expires, and not at that instant", async () => {
    const ada = await person();
    const expiry = later(await lastSeen(ada), 60_000);
    await change(ada, { expires_at: expiry });
    expect(await listed(ada, later(expiry, -1))).toEqual([ada.sessionId]);
    expect(await listed(ada, expiry)).toEqual([]);
  });

  it("lists a session that was idle for exactly the idle timeout, and not one that was idle longer", async () => {
    const { ada, seen, timeout } = await idleUser();
    expect(await listed(ada, later(seen, timeout))).toEqual([ada.sessionId]);
    expect(await listed(ada, later(seen, timeout + 1))).toEqual([]);
  });
});

describe("purge", () => {
  it("deletes a session when more than 30 days have passed since its end", async () => {
    const ada = await person();
    const expiry = new Date("2020-01-01T00:00:00Z");
    await change(ada, { expires_at: expiry });
    const due = later(expiry, 30 * 86_400_000);
    expect(await Session.purge(due)).toBe(0);
    expect(await Session.purge(later(due, 1))).toBe(1);
  });
});
