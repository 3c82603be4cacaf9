import { openCookieSettings } from "../features/consent/cookie-consent.tsx";

/** On every page: the way to change one's mind about cookies. */
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
