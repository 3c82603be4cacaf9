import type { ComponentProps } from "react";

type Props = ComponentProps<"button"> & {
  /** `ink` is for Stop, which is neither dangerous nor the main action of a page. */
  look?: "primary" | "plain" | "danger" | "quiet" | "ink";
  /** True while the action is running: the button shows a spinner and keeps its width and focus, but clicks are ignored. */
  busy?: boolean | undefined;
};

/** A button. `type` defaults to `button`, so that it does not submit a form. */
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
