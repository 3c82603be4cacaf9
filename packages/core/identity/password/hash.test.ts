import { expect, it } from "vitest";
import * as Password from "./hash.ts";

it("hashes a password to a salted argon2id PHC string that only that password matches", async () => {
  const [one, two] = await Promise.all([Password.hash("correct horse"), Password.hash("correct horse")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await Password.matches("correct horse", one)).toBe(true);
  expect(await Password.matches("Correct horse", one)).toBe(false);
});

it("matches the test vector of the argon2 reference implementation", async () => {
  // echo -n "password" | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32 (phc-winner-argon2, test.c)
  const vector = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  expect(await Password.matches("password", vector)).toBe(true);
});

it("does not match the unmatchable hash with an empty password", async () => {
  expect(await Password.matches("", Password.unmatchable())).toBe(false);
});

it.each(["", "secret", "$argon2i$v=19$m=64,t=1,p=1$c2FsdA$dGFn", "$2b$10$abcdefghijklmnopqrstuv"])(
  "throws for the stored hash %j, which is not of argon2id",
  async (stored) => {
    await expect(Password.matches("secret", stored)).rejects.toThrow("not an argon2id PHC string");
  },
);

it("throws for a hash with other text before or after it", async () => {
  const stored = await Password.hash("correct horse");
  for (const changed of [`x${stored}`, `${stored}$x`])
    await expect(Password.matches("correct horse", changed)).rejects.toThrow("not an argon2id PHC string");
});
