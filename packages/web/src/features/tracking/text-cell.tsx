import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Popover } from "react-aria-components/Popover";
import { Problem, problemMessage } from "../../base/api.ts";
import { entryMessages as text } from "./messages.ts";

/** Thrown by `save` for a text that cannot be saved. */
export class Unclear extends Error {}

/**
 * A text that becomes a field when it is clicked or Enter is pressed. Enter and leaving the field save it, Escape restores it. When it
 * cannot be saved, the field stays open with what was typed, and says why.
 */
export function TextCell({
  label,
  value,
  children,
  className,
  maxLength,
  disabled = false,
  tabStop = false,
  onBegin,
  save,
}: {
  /** The name of the text, such as Description. */
  label: string;
  /** The text to edit. */
  value: string;
  /** The text as it is shown until it is edited. */
  children: ReactNode;
  className: string;
  maxLength?: number;
  disabled?: boolean;
  /** Tab reaches the text. Others are reached with the arrow keys of the row. */
  tabStop?: boolean;
  /** Called before the first change. */
  onBegin: () => void;
  save: (typed: string) => Promise<unknown>;
}) {
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const busy = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const returnFocus = useRef(false);
  const id = useId();
  useEffect(() => {
    if (typed !== undefined || !returnFocus.current) return;
    returnFocus.current = false;
    button.current?.focus();
  }, [typed]);
  const close = (focus: boolean) => {
    returnFocus.current = focus;
    setTyped(undefined);
    setError(undefined);
  };
  const finish = async (focus: boolean) => {
    if (typed === undefined || busy.current) return;
    if (typed.trim() === value.trim()) return close(focus);
    busy.current = true;
    try {
      await save(typed.trim());
      close(focus);
    } catch (problem) {
      if (problem instanceof Problem) setError(problemMessage(problem));
      else setError(problem instanceof Unclear ? problem.message : text.failed);
    } finally {
      busy.current = false;
    }
  };
  if (disabled) return <span className={className}>{children}</span>;
  if (typed === undefined)
    return (
      <button
        ref={button}
        type="button"
        tabIndex={tabStop ? 0 : -1}
        className={`cell ${className}`}
        aria-label={text.edit(label, value)}
        onClick={() => {
          onBegin();
          setTyped(value);
        }}
      >
        {children}
      </button>
    );
  return (
    <span className={`cell-field ${className}`}>
      <input
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: the user has opened this field.
        autoFocus
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        autoComplete="off"
        maxLength={maxLength}
        value={typed}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => {
          setTyped(target.value);
          setError(undefined);
        }}
        onBlur={() => void finish(false)}
        onKeyDown={(event) => {
          if (event.key === "Enter") void finish(true);
          if (event.key === "Escape") close(true);
        }}
      />
      <Popover
        className="menu cell-error"
        isNonModal
        isOpen={error !== undefined}
        triggerRef={field}
        placement="bottom"
        offset={4}
      >
        <p id={id} role="alert">
          {error}
        </p>
      </Popover>
    </span>
  );
}
