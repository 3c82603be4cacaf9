/** The sentences of the shared components. */
export const messages = {
  requiredMark: "Required",
  required: (label: string) => `${label} is required.`,
  notDecimal: (label: string, example: string) => `${label} must be a number such as ${example}.`,
  restored: "Your unsaved changes were restored.",
  discardRestored: "Discard them",
};
