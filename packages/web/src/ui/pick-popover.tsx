import "./menu.css";
import "./pick-popover.css";
import { Check, Search } from "lucide-react";
import { type ReactNode, type RefObject, useState } from "react";
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete";
import { Dialog } from "react-aria-components/Dialog";
import { Input } from "react-aria-components/Input";
import { ListBox, ListBoxItem } from "react-aria-components/ListBox";
import { Popover } from "react-aria-components/Popover";
import { SearchField } from "react-aria-components/SearchField";

/** Something to choose. `text` is what the search looks at, and the name that is announced. */
export type PickOption = { id: string; text: string; content?: ReactNode };

type Props = {
  /** The kind of options, such as Project. Names the search field and the list. */
  label: string;
  /** The button below which the list opens, and which gets the focus back. */
  anchor: RefObject<HTMLElement | null>;
  options: readonly PickOption[];
  /** The ids of the chosen options. */
  selected: readonly string[];
  /** Called with all chosen ids. Without `multiple`, the list then closes. */
  onSelect: (ids: string[]) => void;
  onClose: () => void;
  /** Several options can be chosen, and the list stays open. */
  multiple?: boolean;
  /** Returns the label of an option that adds the typed text itself. */
  addLabel?: (typed: string) => string;
  /** Called with what is typed, for options that come from the server. */
  onSearch?: (typed: string) => void;
  /** The text of the list while nothing matches. */
  empty: string;
};

/** A list with a search field that opens below a button. It is open while mounted. */
export function PickPopover({
  label,
  anchor,
  options,
  selected,
  onSelect,
  onClose,
  multiple = false,
  addLabel,
  onSearch,
  empty,
}: Props) {
  const { contains } = useFilter({ sensitivity: "base" });
  const [typed, setTyped] = useState("");
  const wanted = typed.trim();
  const addable =
    addLabel && wanted && !options.some(({ text }) => text.toLowerCase() === wanted.toLowerCase());
  const shown = addable ? [...options, { id: wanted, text: wanted, content: addLabel(wanted) }] : options;
  return (
    <Popover
      className="menu pick"
      isOpen
      onOpenChange={onClose}
      triggerRef={anchor}
      placement="bottom start"
      offset={4}
    >
      <Dialog className="pick-dialog" aria-label={label}>
        <Autocomplete
          filter={contains}
          inputValue={typed}
          onInputChange={(text) => {
            setTyped(text);
            onSearch?.(text);
          }}
        >
          <SearchField className="pick-search" aria-label={label} autoFocus>
            <Search />
            <Input placeholder={label} />
          </SearchField>
          <ListBox
            className="menu-list pick-list"
            aria-label={label}
            items={shown}
            selectionMode={multiple ? "multiple" : "single"}
            selectedKeys={selected}
            escapeKeyBehavior="none"
            renderEmptyState={() => <p className="menu-empty">{empty}</p>}
            onSelectionChange={(keys) => {
              if (multiple) {
                setTyped("");
                onSearch?.("");
                return onSelect([...keys].map(String));
              }
              for (const key of keys) onSelect([String(key)]);
              onClose();
            }}
          >
            {({ id, text, content = text }) => (
              <ListBoxItem id={id} className="menu-item" textValue={text}>
                <span className="pick-option">{content}</span>
                <Check className="menu-check" />
              </ListBoxItem>
            )}
          </ListBox>
        </Autocomplete>
      </Dialog>
    </Popover>
  );
}
