import { codes } from "@svc/core/money/currency";
import { locale } from "../../base/format.ts";
import { messages } from "./messages.ts";

/** Returns the options of a currency select: every supported currency with its name in the user's language. */
export function currencyOptions(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([locale()], { type: "currency" });
  return codes.map((code) => ({ value: code, label: messages.option(code, names.of(code) ?? code) }));
}
