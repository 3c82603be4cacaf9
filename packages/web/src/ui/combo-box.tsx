import "./menu.css";
import "./combo-box.css";
import { Check, ChevronDown } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useContext, useEffect } from "react";
import { Button } from "react-aria-components/Button";
import { ComboBox as Combo, ComboBoxStateContext } from "react-aria-components/ComboBox";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { messages } from "./messages.ts";

/** A choice of a combo box. The search looks at `label`, which the list shows unless there is `content`. */
export type ComboOption = { value: string; label: string; content?: ReactNode };

export type ComboBoxProps = {
  label: ReactNode;
  options: readonly ComboOption[];
  value: string;
  onChange: (value: string) => void;
  /** Any text can be entered, and the options are suggestions. */
  custom?: boolean | undefined;
  placeholder?: string | undefined;
  /** The name with which a form finds the field. */
  name?: string | undefined;
  required?: boolean | undefined;
  invalid?: boolean | undefined;
  disabled?: boolean | undefined;
  /** The id of the element with the hint or error. */
  describedBy?: string | undefined;
};

/** A field for one of many options, which typing searches. Use a select for a few options. */
export function ComboBox({
  label,
  options,
  value,
  onChange,
  custom = false,
  placeholder = "",
  name,
  required = false,
  invalid = false,
  disabled = false,
  describedBy,
}: ComboBoxProps) {
  return (
    <Combo
      className="combo-box"
      defaultItems={options}
      {...(custom
        ? { allowsCustomValue: true, inputValue: value, onInputChange: onChange }
        : {
            allowsEmptyCollection: true,
            selectedKey: keyOf(value),
            // The list is read after the first render, in which a dialog may have focused the field already.
            defaultInputValue: options.find((option) => option.value === value)?.label ?? "",
            // Without a text there is no key, and leaving the field restores the text of the selected option.
            onSelectionChange: (key) => key !== null && onChange(String(key).slice(1)),
          })}
      isRequired={required}
      isInvalid={invalid}
      isDisabled={disabled}
      validationBehavior="aria"
      {...(describedBy !== undefined && { "aria-describedby": describedBy })}
    >
      <Label className="label">{label}</Label>
      <Field name={name} placeholder={placeholder} custom={custom} />
      <Popover className="menu combo-box-list" offset={4}>
        <ListBox<ComboOption>
          className="menu-list"
          renderEmptyState={() => <p className="menu-empty">{messages.noMatch}</p>}
        >
          {({ value, label, content = label }) => (
            <ListBoxItem id={keyOf(value)} className="menu-item" textValue={label}>
              <span className="clip">{content}</span>
              <Check className="menu-check" />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Combo>
  );
}

/** The keys of the list. The library does not accept an empty one. */
const keyOf = (value: string) => `=${value}`;

function Field({ custom, ...input }: { custom: boolean; name: string | undefined; placeholder: string }) {
  const state = useContext(ComboBoxStateContext);
  const selected = state?.selectedItem?.textValue;
  const isSearch = state?.isOpen && !custom && state.inputValue !== "" && state.inputValue !== selected;
  // Enter takes the first option that matches.
  useEffect(() => {
    if (isSearch && state.selectionManager.focusedKey === null)
      state.selectionManager.setFocusedKey(state.collection.getFirstKey());
  });
  // Escape closes only the list, not the dialog around the field as well.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && state?.isOpen) event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field.
    <div className="combo-box-input" onKeyDown={onKeyDown}>
      <Input
        {...input}
        onClick={({ currentTarget }) => {
          if (state?.isOpen) return;
          if (!custom) currentTarget.select();
          state?.open(null, "manual");
        }}
      />
      <Button className="combo-box-open">
        <ChevronDown />
      </Button>
    </div>
  );
}
