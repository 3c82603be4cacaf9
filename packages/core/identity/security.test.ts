import { describe, expect, test } from "vitest";
import * as Password from "./password/hash.ts";
import * as LockOut from "./password/lock-out.ts";
import { isCommon } from "./password/password-policy.ts";

describe("password", () => {
  test("a hash is an argon2id PHC string of its own each time, and only its password matches", async () => {
    const [one, two] = await Promise.all([Password.hash("correct horse"), Password.hash("correct horse")]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(two);
    expect(await Password.matches("correct horse", one)).toBe(true);
    expect(await Password.matches("Correct horse", one)).toBe(false);
  });

  test("the reference implementation's vector matches", async () => {
    // echo -n "password" | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32 (phc-winner-argon2, test.c)
    const vector = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    expect(await Password.matches("password", vector)).toBe(true);
  });

  test("nobody's password matches nothing", async () => {
    expect(await Password.matches("", Password.unmatchable())).toBe(false);
  });

  test.each([
    "qwerty123456",
    "QWERTY123456",
    "aaaaaaaaaaaa",
    "abcabcabcabc",
    "abcdefghijklmn",
    "987654321098",
    "1234567890123",
  ])("%s is common", (password) => {
    expect(isCommon(password)).toBe(true);
  });

  test.each(["correct horse battery staple", "aaaaaaaaaaab-mountain", "ünïcödé pässwörd", "            tea"])(
    "%s is not",
    (password) => {
      expect(isCommon(password)).toBe(false);
    },
  );
});

describe("lock-out", () => {
  const at = (minutes: number) => new Date(minutes * 60_000);
  const after = (times: number[], before?: LockOut.Tries) =>
    times.reduce<LockOut.Tries | undefined>((tries, minutes) => {
      const outcome = LockOut.counted(tries, at(minutes));
      return "tries" in outcome ? outcome.tries : tries;
    }, before);

  test("four tries are counted, the fifth locks for a minute", () => {
    expect(after([0, 1, 2, 3])).toMatchObject({ failures: 4, lockedUntil: null });
    expect(after([0, 1, 2, 3, 4])).toMatchObject({ locks: 1, lockedUntil: at(5) });
  });

  test("tries more than a quarter of an hour apart are not counted together", () => {
    expect(after([0, 1, 2, 3, 15])).toMatchObject({ failures: 1, lockedUntil: null });
  });

  test("a try while locked changes nothing", () => {
    const locked = after([0, 0, 0, 0, 0]);
    expect(LockOut.counted(locked, at(0.5))).toEqual({ lockedUntil: at(1) });
  });

  test("each lock is longer, up to an hour, and a day without tries forgets them", () => {
    const lengths: number[] = [];
    let tries: LockOut.Tries | undefined;
    let minute = 0;
    for (let round = 0; round < 5; round++) {
      tries = after([minute, minute, minute, minute, minute], tries);
      lengths.push(((tries?.lockedUntil?.getTime() ?? 0) - at(minute).getTime()) / 60_000);
      minute += lengths.at(-1) ?? 0;
    }
    expect(lengths).toEqual([1, 5, 15, 60, 60]);
    expect(
      after(
        [minute + 24 * 60, minute + 24 * 60, minute + 24 * 60, minute + 24 * 60, minute + 24 * 60],
        tries,
      ),
    ).toMatchObject({ locks: 1 });
  });
});
