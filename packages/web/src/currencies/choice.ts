import { codes } from "@svc/core/money/currency";

/** The currencies that are offered, with their names, for a field to choose from. */
export function currencyOptions(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames("en", { type: "currency" });
  return codes.map((code) => ({ value: code, label: `${code} ${names.of(code)}` }));
}
