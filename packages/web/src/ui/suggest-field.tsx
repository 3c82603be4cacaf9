import "./menu.css";
import { type ReactNode, useId, useRef, useState } from "react";
import { Popover } from "react-aria-components/Popover";

/** A suggestion below a text field. */
export type Suggestion = { id: string; content: ReactNode };

/**
 * A text field for any text, with suggestions below it: the combobox pattern of WAI-ARIA. React Aria's ComboBox is for one value of a
 * list: it resets the text when the list changes while the user types.
 */
export function SuggestField<S extends Suggestion>({
  label,
  shortcut,
  value,
  suggestions,
  onChange,
  onPick,
  onEnter,
  onEscape,
  onFocus,
  onBlur,
  maxLength,
}: {
  label: string;
  /** The key that focuses the field. */
  shortcut: string;
  value: string;
  /** The options of the list, which opens while the user types. */
  suggestions: readonly S[];
  onChange: (text: string) => void;
  /** Called when the user chooses a suggestion. */
  onPick: (suggestion: S) => void;
  /** Called for Enter while no suggestion is highlighted. */
  onEnter: () => void;
  /** Called for Escape while the list is closed. */
  onEscape: () => void;
  onFocus: () => void;
  onBlur: () => void;
  maxLength: number;
}) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const [typing, setTyping] = useState(false);
  const [highlighted, setHighlighted] = useState<string>();
  const open = typing && suggestions.length > 0;
  const at = suggestions.findIndex((one) => one.id === highlighted);
  const close = () => {
    setTyping(false);
    setHighlighted(undefined);
  };
  const pick = (suggestion: S) => {
    close();
    onPick(suggestion);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const current = open ? suggestions[at] : undefined;
    if (step !== 0) {
      event.preventDefault();
      setTyping(true);
      const count = suggestions.length;
      const next = at === -1 && step === -1 ? count - 1 : (at + step + count) % count;
      setHighlighted(suggestions[next]?.id);
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      if (current) return pick(current);
      close();
      onEnter();
    } else if (event.key === "Escape") {
      if (!open) onEscape();
      close();
    }
  };
  return (
    <div className="suggest-field">
      <input
        ref={input}
        role="combobox"
        aria-label={label}
        aria-keyshortcuts={shortcut}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? `${id}-list` : undefined}
        aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        placeholder={label}
        maxLength={maxLength}
        value={value}
        onChange={({ target }) => {
          setTyping(true);
          setHighlighted(undefined);
          onChange(target.value);
        }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onBlur={() => {
          close();
          onBlur();
        }}
      />
      <Popover
        className="menu suggestions"
        isNonModal
        isOpen={open}
        triggerRef={input}
        placement="bottom start"
        offset={4}
      >
        <div role="listbox" id={`${id}-list`} aria-label={label} className="menu-list">
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
            <div
              key={suggestion.id}
              role="option"
              id={`${id}-${index}`}
              aria-selected={index === at}
              data-focused={index === at || undefined}
              tabIndex={-1}
              className="menu-item"
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(suggestion)}
            >
              {suggestion.content}
            </div>
          ))}
        </div>
      </Popover>
    </div>
  );
}
