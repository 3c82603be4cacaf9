import type { SecondFactorRequired, SignedIn, WebAuthnAssertion } from "@svc/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { Problem, svc } from "../../base/api.ts";
import { clearPictures } from "../../base/picture-cache.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { storeDeviceToken, storedDeviceToken } from "./device-token.ts";
import { signInByAutofill, signInWithPasskey } from "./passkey.ts";
import { completeSignIn, offerPasskey } from "./session.ts";
import { requestAssertion, webauthnAvailable } from "./webauthn.ts";

/** Signs in with a passkey, or with email and password and then the second factor if the account has one. */
export default function Login() {
  const [second, setSecond] = useState<SecondFactorRequired>();
  // The session may have ended while no page was open.
  useEffect(() => void clearPictures(), []);
  return second ? (
    <SecondStep login={second} onRestart={() => setSecond(undefined)} />
  ) : (
    <FirstStep onSecond={setSecond} />
  );
}

function finish(answer: SignedIn): void {
  storeDeviceToken(answer.deviceToken);
  completeSignIn(answer.user);
}

function FirstStep({ onSecond }: { onSecond: (login: SecondFactorRequired) => void }) {
  const form = useForm({ email: "", password: "" }, async (values) => {
    const body = { ...values, deviceToken: storedDeviceToken() };
    const answer = await svc.post("/auth/login", { body });
    if ("mfaRequired" in answer) return onSecond(answer);
    offerPasskey();
    finish(answer);
  });
  return (
    <Page title="Sign in">
      <Form
        form={form}
        submitLabel="Sign in"
        actions={<Link href="/forgot-password">Forgot your password?</Link>}
      >
        <TextField
          form={form}
          name="email"
          label="Email"
          type="email"
          autoComplete="username webauthn"
          required
        />
        <TextField
          form={form}
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
      {webauthnAvailable && <PasskeySignIn />}
      <p>
        No account yet? <Link href="/register">Sign up</Link>
      </p>
    </Page>
  );
}

/** Offers the passkeys of this device in the autofill of the email field, and in a dialog of the browser with a button. */
function PasskeySignIn() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const autofill = useRef<AbortController>(undefined);
  const offer = useCallback(() => {
    autofill.current = new AbortController();
    signInByAutofill(autofill.current.signal).then((answer) => answer && finish(answer), setFailure);
  }, []);
  useEffect(() => {
    offer();
    return () => autofill.current?.abort();
  }, [offer]);
  async function choose(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    // Browsers allow one request at a time.
    autofill.current?.abort();
    await signInWithPasskey().then(finish, (problem) => {
      setFailure(problem);
      setBusy(false);
      offer();
    });
  }
  return (
    <div className="form">
      <Failure error={failure} />
      <div className="row">
        <Button busy={busy} onClick={() => void choose()}>
          Sign in with a passkey
        </Button>
      </div>
    </div>
  );
}

type Method = SecondFactorRequired["methods"][number];

const methodLabels: Record<Method, string> = {
  totp: "Use your authenticator app",
  webauthn: "Use a passkey or security key",
  backup_code: "Use a backup code",
};

function SecondStep({ login, onRestart }: { login: SecondFactorRequired; onRestart: () => void }) {
  const usable = login.methods.filter((method) => method !== "webauthn" || webauthnAvailable);
  const [method, setMethod] = useState<Method>(usable[0] ?? "backup_code");
  const { mfaToken } = login;
  const form = useForm({ code: "" }, async ({ code }) => {
    try {
      const body =
        method === "webauthn"
          ? { mfaToken, method, credential: await requestCredential(mfaToken) }
          : { mfaToken, method, code: code.trim() };
      const answer = await svc.post("/auth/login/2fa", { body });
      offerPasskey();
      finish(answer);
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

async function requestCredential(mfaToken: string): Promise<WebAuthnAssertion> {
  return requestAssertion(await svc.post("/auth/login/2fa/webauthn-options", { body: { mfaToken } }));
}
