import type { ComponentProps } from "react";
import { Button } from "./button.tsx";
import { Tooltip } from "./tooltip.tsx";

/** A button that shows only an icon. Its label is the accessible name and the tooltip. */
export function IconButton({
  label,
  look = "quiet",
  size,
  children,
  ...rest
}: Omit<ComponentProps<typeof Button>, "aria-label"> & { label: string; size?: "small" }) {
  return (
    <Tooltip text={label}>
      <Button {...rest} look={look} aria-label={label} data-icon="" data-size={size}>
        {children}
      </Button>
    </Tooltip>
  );
}
