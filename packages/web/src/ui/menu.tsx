import "./menu.css";
import { Check, type LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components/Button";
import { Header } from "react-aria-components/Header";
import { MenuItem as Item, Menu as MenuList, MenuSection, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Separator } from "react-aria-components/Separator";
import { TooltipTrigger } from "react-aria-components/Tooltip";
import { TooltipBubble, tooltipDelay } from "./tooltip.tsx";

export type MenuItem = {
  label: string;
  onSelect: () => void;
  Icon?: LucideIcon | undefined;
  /** The item deletes something. It stands last, below a line. */
  danger?: boolean | undefined;
};

/** Choices of which one is selected. */
export type MenuChoice = {
  title: string;
  selected: string | undefined;
  options: readonly { id: string; label: string; Icon?: LucideIcon | undefined }[];
  onSelect: (id: string) => void;
};

type Content = { choices?: readonly MenuChoice[] | undefined; items?: readonly MenuItem[] | undefined };

/**
 * A button that opens a list of choices and actions. An open menu does not follow changes of its content, because replacing it
 * would move the focus and could make the user select the wrong action.
 */
export function Menu({
  label,
  children,
  className = "button",
  placement = "bottom end",
  ...content
}: Content & {
  /** The accessible name of the button, and its tooltip. */
  label: string;
  children: ReactNode;
  /** The class of the button, if it does not look like a quiet button. */
  className?: string;
  placement?: "bottom start" | "bottom end" | "top start";
}) {
  const [isOpen, setIsOpen] = useState(false);
  const [shown, setShown] = useState({ ...content, opening: 0 });
  const onOpenChange = (open: boolean) => {
    setIsOpen(open);
    if (open) setShown(({ opening }) => ({ ...content, opening: opening + 1 }));
  };
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      <TooltipTrigger delay={tooltipDelay} closeDelay={0}>
        <Button className={className} data-look="quiet" data-menu="" aria-label={label}>
          {children}
        </Button>
        <TooltipBubble text={label} />
      </TooltipTrigger>
      <Popover className="menu" offset={4} placement={placement}>
        {/* A menu that is opened again while it still fades out is a new one, because only a new one takes the focus. */}
        <MenuList key={shown.opening} className="menu-list">
          {shown.choices?.map((choice) => (
            <Choice key={choice.title} choice={choice} />
          ))}
          {shown.choices && shown.items && <Separator className="menu-line" />}
          {shown.items?.map((item, at, all) => [
            item.danger && at > 0 && !all[at - 1]?.danger && <Separator key="line" className="menu-line" />,
            <Entry key={item.label} {...item} />,
          ])}
        </MenuList>
      </Popover>
    </MenuTrigger>
  );
}

function Entry({ label, onSelect, Icon, danger }: MenuItem) {
  return (
    <Item className="menu-item" data-danger={danger || undefined} textValue={label} onAction={onSelect}>
      {Icon && <Icon />}
      <span>{label}</span>
    </Item>
  );
}

function Choice({ choice: { title, selected, options, onSelect } }: { choice: MenuChoice }) {
  return (
    <MenuSection
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={selected === undefined ? [] : [selected]}
      onSelectionChange={(keys) => {
        for (const key of keys) onSelect(String(key));
      }}
    >
      <Header className="menu-title">{title}</Header>
      {options.map(({ id, label, Icon }) => (
        <Item key={id} id={id} className="menu-item" textValue={label}>
          {Icon && <Icon />}
          <span>{label}</span>
          <Check className="menu-check" />
        </Item>
      ))}
    </MenuSection>
  );
}
