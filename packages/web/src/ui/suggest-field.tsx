import "./menu.css";
import type { ReactNode } from "react";
import { ComboBox } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";

/** A suggestion below a text field. `text` is what is announced. */
export type Suggestion = { id: string; text: string; content: ReactNode };

/** A text field for any text, with suggestions that appear while the user types or presses ArrowDown. */
export function SuggestField<S extends Suggestion>({
  label,
  value,
  placeholder,
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
  value: string;
  placeholder: string;
  suggestions: readonly S[];
  onChange: (text: string) => void;
  /** Called when the user chooses a suggestion. */
  onPick: (suggestion: S) => void;
  /** Called for Enter while no suggestion is highlighted. */
  onEnter: () => void;
  /** Called for Escape while no suggestions are shown. */
  onEscape: () => void;
  onFocus: () => void;
  onBlur: () => void;
  maxLength: number;
}) {
  return (
    <ComboBox
      className="suggest-field"
      aria-label={label}
      allowsCustomValue
      inputValue={value}
      onInputChange={onChange}
      items={suggestions}
      onSelectionChange={(key) => {
        const picked = suggestions.find(({ id }) => id === key);
        if (picked) onPick(picked);
      }}
    >
      <Input
        placeholder={placeholder}
        maxLength={maxLength}
        onFocus={onFocus}
        onBlur={onBlur}
        onKeyDown={(event) => {
          const list = event.currentTarget.getAttribute("aria-expanded") === "true";
          if (event.key === "Enter" && !event.currentTarget.hasAttribute("aria-activedescendant")) onEnter();
          if (event.key === "Escape" && !list) onEscape();
        }}
      />
      <Popover className="menu" offset={4} placement="bottom start">
        <ListBox className="menu-list">
          {(suggestion: S) => (
            <ListBoxItem id={suggestion.id} className="menu-item" textValue={suggestion.text}>
              {suggestion.content}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
