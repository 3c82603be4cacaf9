import * as z from "zod/mini";

/** The code of a currency. Requests that name an unsupported one are rejected with `currency_unsupported`. */
export const CurrencyCode = z
  .string()
  .check(z.maxLength(16), z.meta({ description: "The code of a currency (ISO 4217).", examples: ["EUR"] }));
