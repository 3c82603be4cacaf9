import { codes } from "@svc/core/money/currency";
import { getCookie } from "../../base/cookies.ts";

/** Every currency that is offered, by code, with its name in the person's language. */
export function currencyOptions(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([getCookie("svc_user_locale") ?? navigator.language], {
    type: "currency",
  });
  return codes.map((code) => ({ value: code, label: `${code} · ${names.of(code) ?? code}` }));
}
