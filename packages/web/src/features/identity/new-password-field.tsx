import { minLength } from "@svc/core/identity/password/password-policy";
import type { Owner, Strength } from "@svc/core/identity/password/strength";
import { useEffect, useState } from "react";
import { type FormState, TextField } from "../../ui/form.tsx";
import "./new-password-field.css";
import { number } from "../../base/format.ts";
import { messages } from "./messages.ts";

/** Pause in milliseconds after the last key before the strength is estimated. */
const pauseMs = 250;

/** A field for a new password, which shows how hard it is to guess while the user types. */
export function NewPasswordField<V extends Record<string, string | boolean>>({
  form,
  name,
  label,
  owner = {},
}: {
  form: FormState<V>;
  name: keyof V & string;
  label: string;
  /** The user, as far as known. Their name and email do not belong in a password. */
  owner?: Owner;
}) {
  const password = String(form.values[name]);
  const strength = useStrength(password, owner);
  // An error of the server says the same, so only one of them is shown.
  const shown = form.errors[name] ? undefined : strength;
  return (
    <div className="new-password">
      <TextField
        form={form}
        name={name}
        label={label}
        hint={messages.newPassword.hint(number(minLength))}
        type="password"
        autoComplete="new-password"
        required
      />
      <div className="strength">
        {shown && (
          <meter
            aria-label={messages.newPassword.strength}
            max={4}
            low={2.5}
            high={3.5}
            optimum={4}
            value={shown.score}
          />
        )}
        <p className="hint" role="status">
          {shown && describe(shown, password)}
        </p>
      </div>
    </div>
  );
}

function describe({ score, advice }: Strength, password: string): string {
  if (advice) return messages.newPassword.weak(advice);
  if (password.length < minLength) return messages.newPassword.short;
  return score === 4 ? messages.newPassword.veryHard : messages.newPassword.hard;
}

/** Estimates the strength with the module that the server uses. It is large, so it is loaded after the first key. */
function useStrength(password: string, { name = "", email = "" }: Owner): Strength | undefined {
  const [strength, setStrength] = useState<Strength>();
  useEffect(() => {
    let current = true;
    const show = (next: Strength | undefined) => current && setStrength(next);
    const timer = setTimeout(() => {
      if (!password) return show(undefined);
      // Without the module there is no estimate, but the server checks the password anyway.
      import("@svc/core/identity/password/strength").then(
        ({ estimate }) => show(estimate(password, { name, email })),
        () => show(undefined),
      );
    }, pauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [password, name, email]);
  return strength;
}
