/** Rounds an instant down to a whole second. Entries start and end on whole seconds. */
export function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000);
}

/** Returns the whole seconds from one instant to another, or 0 when the second is earlier. */
export function elapsedSeconds(from: Date, to: Date): number {
  return Math.max(Math.floor((to.getTime() - from.getTime()) / 1000), 0);
}
