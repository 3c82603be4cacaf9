import { type ComponentProps, type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { Problem } from "../base/api.ts";
import { Button } from "./button.tsx";
import { useInDialog, useUnsaved } from "./unsaved.ts";

export type Values = Record<string, string | boolean>;

export type FormState<V extends Values> = {
  values: V;
  set: <Name extends keyof V>(name: Name, value: V[Name]) => void;
  /** Error messages by field name. */
  errors: Partial<Record<keyof V | string, string>>;
  /** The error message that belongs to no field. */
  failure: string | undefined;
  busy: boolean;
  /** True while a value differs from the initial or last submitted one. */
  changed: boolean;
  submit: (event?: FormEvent<HTMLFormElement>) => Promise<void>;
  /** Restores the initial values. */
  reset: () => void;
  /** Replaces all values, for example by those that were saved elsewhere. */
  replace: (values: V) => void;
};

/**
 * Manages the state of a form. Values are retained until `submit` succeeds. Errors of the API are shown at their fields, and the
 * first such field gets the focus: `errors[].pointer` is `/` followed by the field's name. A field of a nested body is named by
 * its path, such as `budget/amount`.
 */
export function useForm<V extends Values>(initial: V, submit: (values: V) => Promise<unknown>): FormState<V> {
  const [values, setValues] = useState(initial);
  const [saved, setSaved] = useState(initial);
  const [errors, setErrors] = useState<FormState<V>["errors"]>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const running = useRef(false);

  function show(problem: unknown, form: HTMLFormElement | undefined): void {
    if (!(problem instanceof Problem)) throw problem;
    const named = problem.errors.map(({ pointer, parameter, detail }) => ({
      name: pointer?.slice(1) ?? parameter ?? "",
      detail,
    }));
    const known = named.filter(({ name }) => name in initial);
    const others = named.filter(({ name }) => !(name in initial)).map(({ detail }) => detail);
    setErrors(Object.fromEntries(known.map(({ name, detail }) => [name, detail])) as FormState<V>["errors"]);
    setFailure(known.length > 0 ? others.join(" ") || undefined : [problem.message, ...others].join(" "));
    const [first] = known;
    if (form && first) requestAnimationFrame(() => focusField(form, first.name));
  }

  return {
    values,
    set: (name, value) => {
      setValues((before) => ({ ...before, [name]: value }));
      setErrors(({ [name]: _, ...others }) => others as FormState<V>["errors"]);
    },
    errors,
    failure,
    busy,
    changed: Object.keys(saved).some((name) => values[name] !== saved[name]),
    async submit(event) {
      event?.preventDefault();
      if (running.current) return;
      const form = event?.currentTarget;
      running.current = true;
      setBusy(true);
      setErrors({});
      setFailure(undefined);
      try {
        await submit(values);
        setSaved(values);
      } catch (problem) {
        show(problem, form);
      } finally {
        running.current = false;
        setBusy(false);
      }
    },
    replace: (next) => {
      setValues(next);
      setSaved(next);
    },
    reset: () => {
      setValues(initial);
      setSaved(initial);
      setErrors({});
      setFailure(undefined);
    },
  };
}

/** Focuses a control by its name. A date field has the name on its box and takes the focus in its first part. */
function focusField(form: HTMLFormElement, name: string): void {
  const named = CSS.escape(name);
  form.querySelector<HTMLElement>(`[name="${named}"], [data-name="${named}"] [role="spinbutton"]`)?.focus();
}

/** A form with its submit button. Shows and announces the error that belongs to no field above the fields. */
export function Form<V extends Values>({
  form,
  submitLabel,
  submitLook = "primary",
  children,
  actions,
  wide = false,
}: {
  form: FormState<V>;
  submitLabel: string;
  /** Plain beside another primary action. */
  submitLook?: "primary" | "plain";
  children?: ReactNode;
  /** Uses the full width of the page. */
  wide?: boolean;
  /** Buttons or links beside the submit button. */
  actions?: ReactNode;
}) {
  const inDialog = useInDialog();
  useUnsaved(form.changed);
  const submit = (
    <Button type="submit" look={submitLook} busy={form.busy}>
      {submitLabel}
    </Button>
  );
  return (
    <form className="form" data-wide={wide || undefined} noValidate onSubmit={form.submit}>
      <div role="alert">
        {form.failure && (
          <p className="notice" data-look="bad">
            {form.failure}
          </p>
        )}
      </div>
      {children}
      {inDialog ? (
        <div className="dialog-actions">
          {actions}
          {submit}
        </div>
      ) : (
        <div className="row">
          {submit}
          {actions}
        </div>
      )}
    </form>
  );
}

export type FieldProps<V extends Values> = {
  form: FormState<V>;
  name: keyof V & string;
  label: string;
  hint?: ReactNode;
};

/** Shows the hint or error message of a control below it. The control names `describedBy` for screen readers. */
export function Described({
  error,
  hint,
  children,
}: {
  error: string | undefined;
  hint?: ReactNode;
  children: (control: { invalid: boolean; describedBy: string | undefined }) => ReactNode;
}) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      {children({ invalid: error !== undefined, describedBy: described || undefined })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** Label, hint and error message of a control, associated with it for screen readers. */
function Field<V extends Values>({
  form,
  name,
  label,
  hint,
  children,
}: FieldProps<V> & {
  children: (control: {
    id: string;
    name: string;
    "aria-invalid": true | undefined;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}) {
  const id = useId();
  return (
    <Described error={form.errors[name]} hint={hint}>
      {({ invalid, describedBy }) => (
        <>
          <label htmlFor={id}>{label}</label>
          {children({
            id,
            name,
            "aria-invalid": invalid || undefined,
            "aria-describedby": describedBy,
          })}
        </>
      )}
    </Described>
  );
}

/** A single-line field: text, email, password or date, by `type`. */
export function TextField<V extends Values>({
  form,
  name,
  label,
  hint,
  ...input
}: FieldProps<V> & Omit<ComponentProps<"input">, "form" | "name" | "value" | "onChange">) {
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      {(control) => (
        <input
          {...input}
          {...control}
          value={String(form.values[name])}
          onChange={(event) => form.set(name, event.target.value as V[typeof name])}
        />
      )}
    </Field>
  );
}

/** A multi-line text field. */
export function TextArea<V extends Values>({
  form,
  name,
  label,
  hint,
  ...input
}: FieldProps<V> & Omit<ComponentProps<"textarea">, "form" | "name" | "value" | "onChange">) {
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      {(control) => (
        <textarea
          {...input}
          {...control}
          value={String(form.values[name])}
          onChange={(event) => form.set(name, event.target.value as V[typeof name])}
        />
      )}
    </Field>
  );
}

/** A select field. */
export function SelectField<V extends Values>({
  form,
  name,
  label,
  hint,
  options,
}: FieldProps<V> & { options: readonly { value: string; label: string }[] }) {
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      {(control) => (
        <select
          {...control}
          value={String(form.values[name])}
          onChange={(event) => form.set(name, event.target.value as V[typeof name])}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A checkbox. */
export function CheckField<V extends Values>({ form, name, label, hint }: FieldProps<V>) {
  const id = useId();
  const error = form.errors[name];
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          name={name}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-more` : undefined}
          checked={form.values[name] === true}
          onChange={(event) => form.set(name, event.target.checked as V[typeof name])}
        />
        {label}
      </label>
      {(error || hint) && (
        <p className={error ? "error" : "hint"} id={`${id}-more`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}
