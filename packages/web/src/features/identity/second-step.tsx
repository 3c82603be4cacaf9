import type { SecondFactorRequired, SignedIn, WebAuthnAssertion } from "@svc/client";
import { useState } from "react";
import { Problem, svc } from "../../base/api.ts";
import { Button } from "../../ui/button.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { messages } from "./messages.ts";
import { requestAssertion, webauthnAvailable } from "./webauthn.ts";

type Method = SecondFactorRequired["methods"][number];

/** Completes a sign-in with the second factor of the account. */
export function SecondStep({
  login,
  onSignedIn,
  onRestart,
}: {
  login: SecondFactorRequired;
  onSignedIn: (answer: SignedIn) => void;
  /** Called when the sign-in has to begin again with the password. */
  onRestart: () => void;
}) {
  const usable = login.methods.filter((method) => method !== "webauthn" || webauthnAvailable);
  const [method, setMethod] = useState<Method>(usable[0] ?? "backup_code");
  const { mfaToken } = login;
  const form = useForm({ code: "" }, async ({ code }) => {
    try {
      const body =
        method === "webauthn"
          ? { mfaToken, method, credential: await requestCredential(mfaToken) }
          : { mfaToken, method, code: code.trim() };
      onSignedIn(await svc.post("/auth/login/2fa", { body }));
    } catch (problem) {
      // The token has expired after five minutes or the password was changed, so start again.
      if (problem instanceof Problem && problem.code.startsWith("token_")) return onRestart();
      throw problem;
    }
  });
  return (
    <>
      <Form
        form={form}
        submitLabel={
          method === "webauthn" ? messages.secondStep.continueWithDevice : messages.secondStep.continue
        }
        key={method}
      >
        {method === "totp" && (
          <TextField
            form={form}
            name="code"
            label={messages.code}
            hint={messages.secondStep.codeHint}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
          />
        )}
        {method === "backup_code" && (
          <TextField
            form={form}
            name="code"
            label={messages.secondStep.backupCode}
            hint={messages.secondStep.backupCodeHint}
            autoComplete="off"
            autoFocus
          />
        )}
        {method === "webauthn" && <p>{messages.secondStep.withDevice}</p>}
      </Form>
      <ul className="plain-list">
        {usable
          .filter((other) => other !== method)
          .map((other) => (
            <li key={other}>
              <Button
                look="quiet"
                onClick={() => {
                  form.reset();
                  setMethod(other);
                }}
              >
                {messages.secondStep.use[other]}
              </Button>
            </li>
          ))}
        <li>
          <Button look="quiet" onClick={onRestart}>
            {messages.secondStep.startOver}
          </Button>
        </li>
      </ul>
    </>
  );
}

async function requestCredential(mfaToken: string): Promise<WebAuthnAssertion> {
  return requestAssertion(await svc.post("/auth/login/2fa/webauthn-options", { body: { mfaToken } }));
}
