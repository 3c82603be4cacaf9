import type { SecondFactorRequired, SignedIn, WebAuthnAssertion } from "@svc/client";
import { useState } from "react";
import { Problem, svc } from "../../base/api.ts";
import { Button } from "../../ui/button.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { requestAssertion, webauthnAvailable } from "./webauthn.ts";

type Method = SecondFactorRequired["methods"][number];

const methodLabels: Record<Method, string> = {
  totp: "Use your authenticator app",
  webauthn: "Use a passkey or security key",
  backup_code: "Use a backup code",
};

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
        submitLabel={method === "webauthn" ? "Continue with device" : "Continue"}
        key={method}
      >
        {method === "totp" && (
          <TextField
            form={form}
            name="code"
            label="Code"
            hint="The 6-digit code from your authenticator app."
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
          />
        )}
        {method === "backup_code" && (
          <TextField
            form={form}
            name="code"
            label="Backup code"
            hint="One of your 12 saved codes. Each code works once."
            autoComplete="off"
            autoFocus
          />
        )}
        {method === "webauthn" && <p>Confirm with your fingerprint, face, device PIN or security key.</p>}
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
                {methodLabels[other]}
              </Button>
            </li>
          ))}
        <li>
          <Button look="quiet" onClick={onRestart}>
            Start over
          </Button>
        </li>
      </ul>
    </>
  );
}

async function requestCredential(mfaToken: string): Promise<WebAuthnAssertion> {
  return requestAssertion(await svc.post("/auth/login/2fa/webauthn-options", { body: { mfaToken } }));
}
