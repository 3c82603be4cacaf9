/**
 * Environment variables for every process that writes report files. By default, V8 lets the space of new objects grow to more
 * than 100 MiB before it collects their garbage, and a PDF of 20,000 rows peaks above 300 MiB. `npm start` has the same option.
 */
export const heap = { NODE_OPTIONS: "--max-semi-space-size=16" } as const;
