import { openCookieSettings } from "../features/consent/cookie-consent.tsx";
import { messages } from "./messages.ts";

/** The footer of every page, with a button that opens the cookie settings. */
export function Footer() {
  return (
    <footer className="foot">
      <span>{messages.release}</span>
      <button type="button" className="link" onClick={openCookieSettings}>
        {messages.cookieSettings}
      </button>
    </footer>
  );
}
