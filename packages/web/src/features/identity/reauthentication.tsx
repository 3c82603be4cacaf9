import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Problem, post } from "../../base/api.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";

type Reauthenticate = <T>(action: () => Promise<T>) => Promise<T>;

const Context = createContext<Reauthenticate>((action) => action());

/**
 * Returns a function that runs an action which requires recent authentication. If the API answers 403
 * `reauthentication_required`, it asks for the password and runs the action again. Throws the action's errors, and a `Problem`
 * when the user cancels.
 */
export function useReauthentication(): Reauthenticate {
  return useContext(Context);
}

/** Provides `useReauthentication` to the components inside, with its password dialog. */
export function Reauthentication({ children }: { children: ReactNode }) {
  const [pending, setPending] = useState<PromiseWithResolvers<void>>();
  const reauthenticate = useCallback<Reauthenticate>(async (action) => {
    try {
      return await action();
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.code !== "reauthentication_required") throw problem;
    }
    const confirmed = Promise.withResolvers<void>();
    setPending(confirmed);
    try {
      await confirmed.promise;
    } finally {
      setPending(undefined);
    }
    return action();
  }, []);
  return (
    <Context value={reauthenticate}>
      {children}
      {pending && <PasswordDialog onConfirmed={pending.resolve} onClose={() => pending.reject(canceled())} />}
    </Context>
  );
}

function PasswordDialog({ onConfirmed, onClose }: { onConfirmed: () => void; onClose: () => void }) {
  const form = useForm({ password: "" }, async (values) => {
    await post("/auth/reauthenticate", values);
    onConfirmed();
  });
  return (
    <Dialog title="Confirm your password" onClose={onClose}>
      <p>This change affects the security of your account. You will not be asked again for 10 minutes.</p>
      <Form form={form} submitLabel="Continue">
        <TextField
          form={form}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
    </Dialog>
  );
}

function canceled(): Problem {
  return new Problem(0, {
    code: "reauthentication_declined",
    detail: "Nothing was changed. This action needs your password.",
  });
}
