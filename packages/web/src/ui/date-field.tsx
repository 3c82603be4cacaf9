import { useRef } from "react";
import { DatePicker } from "./date-picker.tsx";
import { Described, type FieldProps, RequiredMark, useFieldCheck, type Values } from "./form.tsx";
import { messages } from "./messages.ts";

type Props<V extends Values> = FieldProps<V> & { required?: boolean };

/** A date of a form, as `YYYY-MM-DD`, or an empty text. */
export function DateField<V extends Values>(props: Props<V>) {
  return <Bound {...props} time={false} />;
}

/** A date and time of a form, as `YYYY-MM-DDTHH:MM[:SS]` without a time zone, or an empty text. */
export function DateTimeField<V extends Values>(props: Props<V>) {
  return <Bound {...props} time />;
}

function Bound<V extends Values>({
  form,
  name,
  label,
  hint,
  required = false,
  time,
}: Props<V> & { time: boolean }) {
  const picker = useRef<HTMLDivElement>(null);
  // Without one of its parts, the field keeps the value that it had before.
  const read = () =>
    picker.current?.querySelector("[data-placeholder]") ? messages.incomplete(label) : undefined;
  useFieldCheck(form, name, { label, required, read });
  return (
    <Described error={form.errors[name]} hint={hint} required={required}>
      {({ invalid, describedBy }) => (
        <DatePicker
          ref={picker}
          label={
            <>
              {label} {required && <RequiredMark />}
            </>
          }
          name={name}
          value={String(form.values[name])}
          onChange={(value) => form.set(name, value as V[typeof name])}
          time={time}
          required={required}
          invalid={invalid}
          describedBy={describedBy}
        />
      )}
    </Described>
  );
}
