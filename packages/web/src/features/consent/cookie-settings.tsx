import { type CategoryId, categories, refusedByGpc } from "@svc/core/consent/policy";
import { useId, useState } from "react";
import { choose, currentChoice, globalPrivacyControl } from "../../base/consent.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { code, RichText } from "../../ui/rich-text.tsx";
import { messages, settingsMessages } from "./messages.ts";
import { optionalCategories } from "./optional-categories.ts";

/** The settings dialog. Closing it is not a choice. */
export default function CookieSettings({ onClose }: { onClose: () => void }) {
  const before = currentChoice()?.categories ?? [];
  const [chosen, setChosen] = useState<readonly CategoryId[]>(before);
  const gpc = globalPrivacyControl();
  const save = (action: Parameters<typeof choose>[0], ids: readonly CategoryId[]) => {
    onClose();
    void choose(action, ids);
  };
  return (
    <Dialog title={settingsMessages.title} onClose={onClose}>
      {gpc && <p className="notice">{settingsMessages.globalPrivacyControl}</p>}
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
        <Button onClick={() => save("accept_all", optionalCategories)}>{messages.acceptAll}</Button>
        <Button onClick={() => save("reject_all", [])}>{messages.rejectAll}</Button>
        <Button onClick={() => save("custom", chosen)}>{settingsMessages.save}</Button>
      </div>
    </Dialog>
  );
}

function CategoryItem({
  category: { id, locked, purpose, cookies, storage },
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
        {locked ? settingsMessages.alwaysActive(names[id]) : names[id]}
      </label>
      <p className="hint" id={hintId}>
        {purpose}
      </p>
      {cookies.length > 0 && (
        <details>
          <summary>{settingsMessages.cookies}</summary>
          <ul>
            {[...cookies, ...storage].map((item) => (
              <li key={item.name}>
                <RichText
                  text={settingsMessages.cookie(item.name, item.purpose, item.duration)}
                  marks={{ code }}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

const names: Record<CategoryId, string> = settingsMessages.categories;
