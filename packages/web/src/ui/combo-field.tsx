import { ComboBox, type ComboOption } from "./combo-box.tsx";
import { Described, type FieldProps, RequiredMark, useFieldCheck, type Values } from "./form.tsx";

/** A field of a form for one of many options, which typing searches. With `custom`, any text can be entered. */
export function ComboField<V extends Values>({
  form,
  name,
  label,
  hint,
  options,
  required = false,
  custom,
  placeholder,
}: FieldProps<V> & {
  options: readonly ComboOption[];
  required?: boolean;
  custom?: boolean;
  placeholder?: string;
}) {
  useFieldCheck(form, name, { label, required });
  return (
    <Described error={form.errors[name]} hint={hint} required={required}>
      {({ invalid, describedBy }) => (
        <ComboBox
          label={
            <>
              {label} {required && <RequiredMark />}
            </>
          }
          name={name}
          options={options}
          value={String(form.values[name])}
          onChange={(value) => form.set(name, value as V[typeof name])}
          custom={custom}
          placeholder={placeholder}
          required={required}
          invalid={invalid}
          describedBy={describedBy}
        />
      )}
    </Described>
  );
}
