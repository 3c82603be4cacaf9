/** Shortest and longest password, in characters. Which characters they are is not restricted (ASVS 5.0, 6.2). */
export const minLength = 12;
export const maxLength = 128;
