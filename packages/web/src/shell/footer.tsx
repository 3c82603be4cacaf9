import { openCookieSettings } from "../features/consent/cookie-consent.tsx";

/** The footer of every page, with a button that opens the cookie settings. */
export function Footer() {
  return (
    <footer className="foot">
      <span>svc 1.4.0</span>
      <button type="button" className="link" onClick={openCookieSettings}>
        Cookie settings
      </button>
    </footer>
  );
}
