import type { ComponentProps } from "react";

type Props = ComponentProps<"button"> & {
  look?: "primary" | "plain" | "danger" | "quiet";
  /** Work is under way: the button keeps its place and the focus, and cannot be pressed. */
  busy?: boolean | undefined;
};

/** A button. `type` is `button` unless it says `submit`. */
export function Button({
  look = "plain",
  busy = false,
  type = "button",
  onClick,
  className,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={`button ${className ?? ""}`}
      data-look={look}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
