import { type CategoryId, categories, refusedByGpc } from "@svc/core/consent/policy";
import { useId, useState, useSyncExternalStore } from "react";
import { choose, currentChoice, globalPrivacyControl, subscribe } from "../../base/consent.ts";
import "./cookie-consent.css";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";

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
      {shown && <SettingsDialog />}
    </>
  );
}

const optional = categories.filter(({ locked }) => !locked).map(({ id }) => id);

/** The specification prescribes the button labels. */
function Banner() {
  return (
    <section className="consent" aria-label="Cookies">
      <p>
        Essential cookies keep you signed in. With your consent, we also use cookies that remember your
        display preferences and measure which pages are used. You can change your choice at any time.
      </p>
      <div className="consent-choices">
        <Button onClick={() => void choose("accept_all", optional)}>Accept All</Button>
        <Button onClick={() => void choose("reject_all", [])}>Reject All</Button>
        <Button onClick={openCookieSettings}>Cookie Settings</Button>
      </div>
    </section>
  );
}

function SettingsDialog() {
  const before = currentChoice()?.categories ?? [];
  const [chosen, setChosen] = useState<readonly CategoryId[]>(before);
  const gpc = globalPrivacyControl();
  const save = (action: Parameters<typeof choose>[0], ids: readonly CategoryId[]) => {
    setOpen(false);
    void choose(action, ids);
  };
  return (
    <Dialog title="Cookie settings" onClose={() => setOpen(false)}>
      {gpc && (
        <p className="notice">
          Your browser sends a Global Privacy Control signal, so analytics and marketing cookies stay off.
        </p>
      )}
      <ul className="consent-categories">
        {categories.map((category) => (
          <CategoryItem
            key={category.id}
            category={category}
            refused={gpc && refusedByGpc.includes(category.id)}
            chosen={chosen.includes(category.id)}
            onChange={(checked) =>
              setChosen(checked ? [...chosen, category.id] : chosen.filter((id) => id !== category.id))
            }
          />
        ))}
      </ul>
      <div className="consent-choices">
        <Button onClick={() => save("accept_all", optional)}>Accept All</Button>
        <Button onClick={() => save("reject_all", [])}>Reject All</Button>
        <Button onClick={() => save("custom", chosen)}>Save choice</Button>
      </div>
    </Dialog>
  );
}

function CategoryItem({
  category: { id, locked, purpose, cookies },
  refused,
  chosen,
  onChange,
}: {
  category: (typeof categories)[number];
  /** True when Global Privacy Control refuses the category. */
  refused: boolean;
  chosen: boolean;
  onChange: (checked: boolean) => void;
}) {
  const hintId = useId();
  return (
    <li>
      <label className="check">
        <input
          type="checkbox"
          aria-describedby={hintId}
          disabled={locked || refused}
          checked={locked || (!refused && chosen)}
          onChange={({ target }) => onChange(target.checked)}
        />
        {names[id]}
        {locked && " (always active)"}
      </label>
      <p className="hint" id={hintId}>
        {purpose}
      </p>
      {cookies.length > 0 && (
        <details>
          <summary>Cookies in this category</summary>
          <ul>
            {cookies.map((cookie) => (
              <li key={cookie.name}>
                <code>{cookie.name}</code>: {cookie.purpose}. Expires after {cookie.duration}.
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

const names: Record<CategoryId, string> = {
  essential: "Essential",
  functional: "Functional",
  analytics: "Analytics",
  marketing: "Marketing",
};
