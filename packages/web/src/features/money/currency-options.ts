import { codes } from "@svc/core/money/currency";
import { getCookie } from "../../base/cookies.ts";
import { messages } from "./messages.ts";

/** Returns the options of a currency select: every supported currency with its name in the user's language. */
export function currencyOptions(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([getCookie("svc_user_locale") ?? navigator.language], {
    type: "currency",
  });
  return codes.map((code) => ({ value: code, label: messages.option(code, names.of(code) ?? code) }));
}
