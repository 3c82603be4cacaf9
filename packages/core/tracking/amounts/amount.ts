import * as Rational from "../../money/rational.ts";

const secondsPerHour = 3600n;

/** What so many seconds cost at an hourly rate, both in minor units: rounded once, half-even. */
export function cost(seconds: number, hourlyRate: bigint): bigint {
  return Rational.rounded({ n: BigInt(seconds) * hourlyRate, d: secondsPerHour });
}
