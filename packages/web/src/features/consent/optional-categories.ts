import { categories } from "@svc/core/consent/policy";

/** The categories that a visitor can refuse. */
export const optionalCategories = categories.filter(({ locked }) => !locked).map(({ id }) => id);
