/** How long the file of a report is kept. The stack's own rule for the bucket is made from it. */
export const keptDays = 90;
