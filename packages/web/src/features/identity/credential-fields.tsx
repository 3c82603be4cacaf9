import { type FieldProps, TextField, type Values } from "../../ui/form.tsx";
import { messages } from "./messages.ts";

type Props<V extends Values> = Pick<FieldProps<V>, "form" | "hint"> & { autoFocus?: boolean };

/** The field for the email of an existing account. Without `passkeys`, its autofill offers no passkeys. */
export function EmailField<V extends Values & { email: string }>({
  passkeys = false,
  ...field
}: Props<V> & { passkeys?: boolean }) {
  return (
    <TextField
      {...field}
      name="email"
      label={messages.email}
      type="email"
      autoComplete={passkeys ? "username webauthn" : "username"}
      required
    />
  );
}

/** The field for the password of an existing account. */
export function PasswordField<V extends Values & { password: string }>(field: Props<V>) {
  return (
    <TextField
      {...field}
      name="password"
      label={messages.password}
      type="password"
      autoComplete="current-password"
      required
    />
  );
}
