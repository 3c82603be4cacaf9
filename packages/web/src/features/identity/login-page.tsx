import type { SecondFactorRequired, SignedIn } from "@svc/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { clearPictures } from "../../base/picture-cache.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { storeDeviceToken, storedDeviceToken } from "./device-token.ts";
import { signInByAutofill, signInWithPasskey } from "./passkey.ts";
import { SecondStep } from "./second-step.tsx";
import { completeSignIn, offerPasskey } from "./session.ts";
import { webauthnAvailable } from "./webauthn.ts";

/** Signs in with a passkey, or with email and password and then the second factor if the account has one. */
export default function Login() {
  const [second, setSecond] = useState<SecondFactorRequired>();
  // The session may have ended while no page was open.
  useEffect(() => void clearPictures(), []);
  return second ? (
    <Page title="Two-factor authentication">
      <SecondStep login={second} onSignedIn={finishSecond} onRestart={() => setSecond(undefined)} />
    </Page>
  ) : (
    <FirstStep onSecond={setSecond} />
  );
}

function finish(answer: SignedIn): void {
  storeDeviceToken(answer.deviceToken);
  completeSignIn(answer.user);
}

function finishSecond(answer: SignedIn): void {
  offerPasskey();
  finish(answer);
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
