import "./tooltip.css";
import type { ReactElement } from "react";
import { Focusable } from "react-aria-components/Focusable";
import { Tooltip as Bubble, TooltipTrigger } from "react-aria-components/Tooltip";

type Placement = "top" | "right" | "bottom";

/** The time in milliseconds that the pointer rests on a control before its tooltip appears. On focus it appears at once. */
export const tooltipDelay = 500;

/** Shows a text beside a control while it is hovered or has the focus. Use it for controls that show only an icon. */
export function Tooltip({
  text,
  placement,
  children,
}: {
  text: string;
  placement?: Placement;
  /** A button or link. */
  children: ReactElement;
}) {
  return (
    <TooltipTrigger delay={tooltipDelay} closeDelay={0}>
      <Focusable>{children as never}</Focusable>
      <TooltipBubble text={text} placement={placement} />
    </TooltipTrigger>
  );
}

/** The tooltip itself, for a control that is already inside a TooltipTrigger. */
export function TooltipBubble({
  text,
  placement = "top",
}: {
  text: string;
  placement?: Placement | undefined;
}) {
  return (
    <Bubble className="tooltip" placement={placement} offset={6}>
      {text}
    </Bubble>
  );
}
