import "./form.css";
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { Problem, problemMessage } from "../base/api.ts";
import { localDecimal, parseDecimal } from "../base/decimal.ts";
import { readDraft, writeDraft } from "../base/drafts.ts";
import { locale } from "../base/format.ts";
import { Button } from "./button.tsx";
import { RestoredNotice, useDraft } from "./draft.tsx";
import { messages } from "./messages.ts";
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
  /** True while the form has changes that were made before a reload. */
  restored: boolean;
  /** Sets what checks a field before the form is submitted; undefined for nothing. It returns the error message. */
  check: (name: keyof V & string, run: Check | undefined) => void;
  /** Restores the initial values. */
  reset: () => void;
  /** Replaces all values, for example by those that were saved elsewhere. */
  replace: (values: V) => void;
};

/** Returns the error message of a value, or undefined if it is valid. */
type Check = (value: string | boolean) => string | undefined;

/**
 * Manages the state of a form. Values are retained until `submit` succeeds. Errors of the API are shown at their fields, and the
 * first such field gets the focus: `errors[].pointer` is `/` followed by the field's name. A field of a nested body is named by
 * its path, such as `budget/amount`.
 */
export function useForm<V extends Values>(
  initial: V,
  /** Repeating it with unchanged values passes the same key, until it succeeds. */
  submit: (values: V, idempotencyKey: string) => Promise<unknown>,
  {
    draft,
    creates = false,
  }: {
    /**
     * With a name, unsaved changes survive a reload, an ended session and leaving the page. Names are unique, such as
     * `project prj_1`.
     */
    draft?: string;
    /** The form creates something. Its draft has all values, so that the request can be repeated after a reload too. */
    creates?: boolean;
  } = {},
): FormState<V> {
  const [stored] = useState(() => {
    const { fields, idempotencyKey } = draft === undefined ? { fields: {} } : readDraft(draft);
    const changes = changesOf({ ...initial, ...(fields as Partial<V>) }, initial);
    return { changes, idempotencyKey };
  });
  const [values, setValues] = useState<V>({ ...initial, ...stored.changes });
  const [saved, setSaved] = useState(initial);
  const [restored, setRestored] = useState(Object.keys(stored.changes).length > 0);
  /** The last request without success: its key is for these values. */
  const [sent, setSent] = useState(
    stored.idempotencyKey ? { values, key: stored.idempotencyKey } : undefined,
  );
  const sentKey = sent && Object.keys(changesOf(values, sent.values)).length === 0 ? sent.key : undefined;
  const checks = useRef(new Map<string, Check>());
  const changes = useMemo(() => changesOf(values, saved), [values, saved]);
  const changed = Object.keys(changes).length > 0;
  useDraft(draft, creates && (changed || sentKey) ? values : changes, sentKey);
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
    setFailure(known.length > 0 ? others.join(" ") || undefined : problemMessage(problem));
    if (form)
      focusFirst(
        form,
        known.map(({ name }) => name),
      );
  }

  /** Returns the error message of each field that is wrong before anything is sent. */
  function wrongFields(): [name: string, message: string][] {
    return [...checks.current].flatMap(([name, run]) => {
      const message = run(values[name] ?? "");
      return message === undefined ? [] : [[name, message]];
    });
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
    changed,
    restored,
    check: (name, run) => {
      if (run) checks.current.set(name, run);
      else checks.current.delete(name);
    },
    async submit(event) {
      event?.preventDefault();
      if (running.current) return;
      const form = event?.currentTarget;
      const wrong = wrongFields();
      setErrors(Object.fromEntries(wrong) as FormState<V>["errors"]);
      setFailure(undefined);
      if (wrong.length > 0) {
        if (form)
          focusFirst(
            form,
            wrong.map(([name]) => name),
          );
        return;
      }
      running.current = true;
      setBusy(true);
      const key = sentKey ?? crypto.randomUUID();
      setSent({ values, key });
      try {
        await submit(values, key);
        setSent(undefined);
        setSaved(values);
        setRestored(false);
        if (draft !== undefined) writeDraft(draft, { fields: {} });
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
      setRestored(false);
    },
    reset: () => {
      setSent(undefined);
      setValues(initial);
      setSaved(initial);
      setRestored(false);
      setErrors({});
      setFailure(undefined);
    },
  };
}

/** Returns the values that differ. Leaves out those that the form does not have. */
function changesOf<V extends Values>(values: V, from: V): Values {
  const changed = Object.keys(from).filter((name) => values[name] !== from[name]);
  return Object.fromEntries(changed.map((name) => [name, values[name] ?? ""]));
}

const control = (name: string) =>
  `[name="${CSS.escape(name)}"], [data-name="${CSS.escape(name)}"] [role="spinbutton"]`;

/**
 * Focuses the first of the named controls on the page, once it shows its error. A date field has the name on its box and takes the
 * focus in its first part.
 */
function focusFirst(form: HTMLFormElement, names: readonly string[]): void {
  if (names.length > 0)
    requestAnimationFrame(() => form.querySelector<HTMLElement>(names.map(control).join(", "))?.focus());
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
      {form.restored && <RestoredNotice onDiscard={form.reset} />}
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
  required = false,
  children,
}: {
  error: string | undefined;
  hint?: ReactNode;
  required?: boolean;
  children: (control: { invalid: boolean; describedBy: string | undefined }) => ReactNode;
}) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field" data-required={required || undefined}>
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

/** Checks a required field before its form is submitted. `read` returns why a value that is not empty is wrong. */
export function useFieldCheck<V extends Values>(
  form: FormState<V>,
  name: keyof V & string,
  { label, required, read }: { label: string; required: boolean; read?: Check },
): void {
  useEffect(() => {
    form.check(name, (value) => {
      if (typeof value === "string" && value.trim() === "")
        return required ? messages.required(label) : undefined;
      return read?.(value);
    });
  });
  const { check } = form;
  const forget = useRef(() => {});
  forget.current = () => check(name, undefined);
  useEffect(() => () => forget.current(), []);
}

/** Says that a field is required. Screen readers hear it from the control. Forms without other fields do not show it. */
export function RequiredMark() {
  return (
    <span className="required-mark" aria-hidden="true">
      {messages.requiredMark}
    </span>
  );
}

/** Label, hint and error message of a control, associated with it for screen readers. */
function Field<V extends Values>({
  form,
  name,
  label,
  hint,
  required = false,
  read,
  children,
}: FieldProps<V> & {
  required?: boolean | undefined;
  read?: Check;
  children: (control: {
    id: string;
    name: string;
    required: true | undefined;
    "aria-invalid": true | undefined;
    "aria-describedby": string | undefined;
  }) => ReactNode;
}) {
  const id = useId();
  useFieldCheck(form, name, { label, required, ...(read && { read }) });
  return (
    <Described error={form.errors[name]} hint={hint} required={required}>
      {({ invalid, describedBy }) => (
        <>
          <div className="label-row">
            <label htmlFor={id}>{label}</label>
            {required && <RequiredMark />}
          </div>
          {children({
            id,
            name,
            required: required || undefined,
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
  required,
  ...input
}: FieldProps<V> & Omit<ComponentProps<"input">, "form" | "name" | "value" | "onChange">) {
  return (
    <Field form={form} name={name} label={label} hint={hint} required={required}>
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

/**
 * A decimal number, written as the user's locale does. The form has it as the API takes it, such as `120.50`, and text that is not
 * a number as it was typed. Without `groups`, `1.234` is never one thousand.
 */
export function DecimalField<V extends Values>({
  form,
  name,
  label,
  hint,
  required,
  groups = true,
  example = "120.50",
  ...input
}: FieldProps<V> &
  Omit<ComponentProps<"input">, "form" | "name" | "value" | "onChange"> & {
    groups?: boolean;
    /** A number as the API takes it, for the placeholder and the error message. */
    example?: string;
  }) {
  const value = String(form.values[name]);
  const read = (text: string) => parseDecimal(text, locale(), { groups });
  const [typed, setTyped] = useState<string>();
  // The form has another value when it was reset.
  const isTyped = typed !== undefined && (read(typed) ?? typed) === value;
  const shown = isTyped ? typed : localDecimal(value, locale());
  const wrong = messages.notDecimal(label, localDecimal(example, locale()));
  return (
    <Field
      form={form}
      name={name}
      label={label}
      hint={hint}
      required={required}
      read={(found) => (/^-?\d+(\.\d+)?$/.test(String(found)) ? undefined : wrong)}
    >
      {(control) => (
        <input
          placeholder={localDecimal(example, locale())}
          {...input}
          {...control}
          inputMode="decimal"
          value={shown}
          onChange={({ target }) => {
            setTyped(target.value);
            form.set(name, (read(target.value) ?? target.value) as V[typeof name]);
          }}
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
  required,
  ...input
}: FieldProps<V> & Omit<ComponentProps<"textarea">, "form" | "name" | "value" | "onChange">) {
  return (
    <Field form={form} name={name} label={label} hint={hint} required={required}>
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
