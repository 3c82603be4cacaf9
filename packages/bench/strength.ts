import * as Password from "../core/identity/password/hash.ts";
import { estimate } from "../core/identity/password/strength.ts";
import { interleaved, table } from "./interleaved.ts";

const owner = { name: "Ada Lovelace", email: "ada@bench.test" };

/** The texts that took longest among 10,000 random ones, and two ordinary passwords. */
const passwords = {
  "four random words": "orbit candle velvet harbor",
  "16 random characters": "kE9!vT2#pQ7$xZ4@",
  "48 digits": "730948561203947561820394857610293847561029384756",
  "48 replaced letters": "4@8({[<3690|!17$52+%4@8({[<3690|!17$52+%4@8({[<3",
  "128 replaced letters": "4@8({[<3690|!17$52+%".repeat(7).slice(0, 128),
};

/** Compares estimating the strength of a password, also of hostile ones, with hashing one. */
export async function passwordStrength(): Promise<string> {
  const rows = await interleaved(
    [
      { name: "hash with argon2id", run: () => Password.hash("orbit candle velvet harbor") },
      ...Object.entries(passwords).map(([name, password]) => ({
        name: `estimate ${name}`,
        run: () => void estimate(password, owner),
      })),
    ],
    21,
  );
  return table("Estimating the strength of a new password (ratio to hashing it)", rows);
}
