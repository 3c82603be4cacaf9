/** The second that an instant lies in: entries begin and end on whole seconds. */
export function wholeSecond(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / 1000) * 1000);
}

/** Whole seconds from one instant to another, never fewer than none. */
export function elapsedSeconds(from: Date, to: Date): number {
  return Math.max(Math.floor((to.getTime() - from.getTime()) / 1000), 0);
}
