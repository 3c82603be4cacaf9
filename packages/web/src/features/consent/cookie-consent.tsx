import { lazy, Suspense, useSyncExternalStore } from "react";
import { choose, currentChoice, subscribe } from "../../base/consent.ts";
import "./cookie-consent.css";
import { Button } from "../../ui/button.tsx";
import { messages } from "./messages.ts";
import { optionalCategories } from "./optional-categories.ts";

const CookieSettings = lazy(() => import("./cookie-settings.tsx"));

let open = false;
const listeners = new Set<() => void>();

function setOpen(next: boolean): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Opens the cookie settings dialog. */
export function openCookieSettings(): void {
  setOpen(true);
}

/** Returns the visitor's cookie choice; undefined until they have chosen. */
export function useConsent() {
  return useSyncExternalStore(subscribe, currentChoice);
}

/** Shows the banner until the visitor has chosen, and the settings dialog when it is open. Closing the dialog is not a choice. */
export function CookieConsent() {
  const choice = useConsent();
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
  return (
    <>
      {!choice && <Banner />}
      {shown && (
        <Suspense>
          <CookieSettings onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The specification prescribes the button labels. */
function Banner() {
  return (
    <section className="consent" aria-label={messages.banner}>
      <p>{messages.explanation}</p>
      <div className="consent-choices">
        <Button onClick={() => void choose("accept_all", optionalCategories)}>{messages.acceptAll}</Button>
        <Button onClick={() => void choose("reject_all", [])}>{messages.rejectAll}</Button>
        <Button onClick={openCookieSettings}>{messages.openSettings}</Button>
      </div>
    </section>
  );
}
