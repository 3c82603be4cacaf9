import type { Origin } from "../account/actor.ts";
import type { Reader } from "../db/engine.ts";

/** The second factors that can be typed where the browser's own are out of reach. */
export type Proof = { method: "totp" | "backup_code"; code: string };

/** All that the address list and its emergency way in need to know of second factors. */
export type SecondFactors = {
  /** Whether the proof is good, using it up. Counts no failures: the caller does. */
  check(by: Origin & { userId: string }, proof: Proof, now: Date): Promise<boolean>;
  /** Whether this person has one. */
  enrolled(reader: Reader, userId: string): Promise<boolean>;
};

/** Nobody can enrol a factor in this release, so nobody has one and no proof is good. */
export const secondFactors: SecondFactors = {
  check: async () => false,
  enrolled: async () => false,
};
