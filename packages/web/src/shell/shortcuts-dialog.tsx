import { useState } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { messages } from "./messages.ts";
import { setShortcuts, shortcutsEnabled } from "./shortcuts.ts";

/** Lists the keyboard shortcuts, and turns them on and off. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [enabled, setEnabled] = useState(shortcutsEnabled);
  return (
    <Dialog title={messages.shortcuts} onClose={onClose}>
      <dl className="shortcut-list">
        {messages.shortcutKeys.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input
          type="checkbox"
          checked={enabled}
          onChange={({ target }) => {
            setShortcuts(target.checked);
            setEnabled(target.checked);
          }}
        />
        {messages.useShortcuts}
      </label>
      <p className="hint">{messages.shortcutsHint}</p>
    </Dialog>
  );
}
