import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Problem, post } from "../../base/api.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";

type Guarded = <T>(work: () => Promise<T>) => Promise<T>;

const Context = createContext<Guarded>((work) => work());

/**
 * Runs what changes the protection of an account. When the server wants the password once more (403
 * `reauthentication_required`), the person is asked for it, and the work is done again. Throws what the work throws, and a
 * Problem when the person would rather not.
 */
export function useReauthentication(): Guarded {
  return useContext(Context);
}

/** Around pages whose parts use `useReauthentication`. */
export function Reauthentication({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<PromiseWithResolvers<void>>();
  const guarded = useCallback<Guarded>(async (work) => {
    try {
      return await work();
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.code !== "reauthentication_required") throw problem;
    }
    const given = Promise.withResolvers<void>();
    setAsked(given);
    try {
      await given.promise;
    } finally {
      setAsked(undefined);
    }
    return work();
  }, []);
  return (
    <Context value={guarded}>
      {children}
      {asked && <PasswordDialog onGiven={asked.resolve} onClose={() => asked.reject(declined())} />}
    </Context>
  );
}

function PasswordDialog({ onGiven, onClose }: { onGiven: () => void; onClose: () => void }) {
  const form = useForm({ password: "" }, async (values) => {
    await post("/auth/reauthenticate", values);
    onGiven();
  });
  return (
    <Dialog title="Your password, please" onClose={onClose}>
      <p>This changes what protects your account. You will not be asked again for ten minutes.</p>
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

function declined(): Problem {
  return new Problem(0, {
    code: "reauthentication_declined",
    detail: "Nothing was changed: this needs your password.",
  });
}
