import type { LoggedIn, MfaRequired } from "@svc/core/identity/sign-in/login";
import { useState } from "react";
import { Link } from "wouter";
import { Problem, post } from "../../base/api.ts";
import { Button } from "../../ui/button.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { storeDeviceToken, storedDeviceToken } from "./device-token.ts";
import { completeSignIn } from "./session.ts";
import { requestAssertion, webauthnAvailable } from "./webauthn.ts";

/** Signs in with email and password, then asks for the second factor if the account has one. */
export default function Login() {
  const [second, setSecond] = useState<MfaRequired>();
  return second ? (
    <SecondStep login={second} onRestart={() => setSecond(undefined)} />
  ) : (
    <FirstStep onSecond={setSecond} />
  );
}

function finish(answer: LoggedIn): void {
  storeDeviceToken(answer.deviceToken);
  completeSignIn(answer.user);
}

function FirstStep({ onSecond }: { onSecond: (login: MfaRequired) => void }) {
  const form = useForm({ email: "", password: "" }, async (values) => {
    const known = storedDeviceToken();
    const answer = await post<LoggedIn | MfaRequired>("/auth/login", {
      ...values,
      ...(known && { deviceToken: known }),
    });
    if ("mfaRequired" in answer) onSecond(answer);
    else finish(answer);
  });
  return (
    <Page title="Sign in">
      <Form
        form={form}
        submitLabel="Sign in"
        actions={<Link href="/forgot-password">Forgot your password?</Link>}
      >
        <TextField form={form} name="email" label="Email" type="email" autoComplete="username" required />
        <TextField
          form={form}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
      <p>
        No account yet? <Link href="/register">Sign up</Link>
      </p>
    </Page>
  );
}

type Method = MfaRequired["methods"][number];

const methodLabels: Record<Method, string> = {
  totp: "Use your authenticator app",
  webauthn: "Use a passkey or security key",
  backup_code: "Use a backup code",
};

function SecondStep({ login, onRestart }: { login: MfaRequired; onRestart: () => void }) {
  const usable = login.methods.filter((method) => method !== "webauthn" || webauthnAvailable);
  const [method, setMethod] = useState<Method>(usable[0] ?? "backup_code");
  const { mfaToken } = login;
  const form = useForm({ code: "" }, async ({ code }) => {
    try {
      finish(
        await post<LoggedIn>("/auth/login/2fa", {
          mfaToken,
          method,
          ...(method === "webauthn"
            ? { credential: await requestCredential(mfaToken) }
            : { code: code.trim() }),
        }),
      );
    } catch (problem) {
      // The token has expired after five minutes or the password was changed, so start again.
      if (problem instanceof Problem && problem.code.startsWith("token_")) return onRestart();
      throw problem;
    }
  });
  return (
    <Page title="Two-factor authentication">
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
    </Page>
  );
}

async function requestCredential(mfaToken: string): Promise<unknown> {
  return requestAssertion(await post("/auth/login/2fa/webauthn-options", { mfaToken }));
}
