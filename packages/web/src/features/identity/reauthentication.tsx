import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Problem, svc } from "../../base/api.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { PasswordField } from "./credential-fields.tsx";
import { askForPasskey } from "./passkey.ts";
import { securityMessages } from "./settings-messages.ts";
import { SignInAgain } from "./sign-in-again.tsx";
import { webauthnAvailable } from "./webauthn.ts";

const messages = securityMessages.confirmIdentity;

type Reauthenticate = <T>(action: () => Promise<T>) => Promise<T>;

const Context = createContext<Reauthenticate>((action) => action());

/**
 * Returns a function that runs an action which requires recent authentication. If the API answers 403
 * `reauthentication_required`, it asks for the password or a passkey and runs the action again. Throws the action's errors, and
 * a `Problem` when the user cancels.
 */
export function useReauthentication(): Reauthenticate {
  return useContext(Context);
}

/** Provides `useReauthentication` to the components inside, and asks to sign in again when the session has ended. */
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
      <SignInAgain />
      {pending && <PasswordDialog onConfirmed={pending.resolve} onClose={() => pending.reject(canceled())} />}
    </Context>
  );
}

function PasswordDialog({ onConfirmed, onClose }: { onConfirmed: () => void; onClose: () => void }) {
  const form = useForm({ password: "" }, async (values) => {
    await svc.post("/auth/reauthenticate", { body: values });
    onConfirmed();
  });
  return (
    <Dialog title={messages.title} onClose={onClose} discardable>
      <p>{messages.lead}</p>
      <Form form={form} submitLabel={messages.submit}>
        <PasswordField form={form} />
      </Form>
      {webauthnAvailable && <PasskeyConfirmation onConfirmed={onConfirmed} />}
    </Dialog>
  );
}

/** A button that confirms with a passkey instead, if the user has one. */
function PasskeyConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const factors = useQuery({
    queryKey: ["2fa"],
    queryFn: ({ signal }) => svc.get("/user/2fa", { signal }),
  });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  async function confirm(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      await svc.post("/auth/reauthenticate", { body: { method: "passkey", ...(await askForPasskey()) } });
      onConfirmed();
    } catch (problem) {
      setFailure(problem);
      setBusy(false);
    }
  }
  if (!factors.data?.webauthn.some(({ kind }) => kind === "passkey")) return null;
  return (
    <>
      <Failure error={failure} />
      <Button busy={busy} onClick={() => void confirm()}>
        {messages.passkey}
      </Button>
    </>
  );
}

function canceled(): Problem {
  return new Problem(0, {
    code: "reauthentication_declined",
    detail: messages.canceled,
  });
}
