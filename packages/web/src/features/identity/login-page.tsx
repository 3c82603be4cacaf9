import type { SecondFactorRequired, SignedIn } from "@svc/client";
import { useMutation } from "@tanstack/react-query";
import { FingerprintPattern } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { clearPictures } from "../../base/picture-cache.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, useForm } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { EmailField, PasswordField } from "./credential-fields.tsx";
import { DemoSignIn } from "./demo-people.tsx";
import { storeDeviceToken, storedDeviceToken } from "./device-token.ts";
import { messages } from "./messages.ts";
import { signInByAutofill, signInWithPasskey } from "./passkey.ts";
import { SecondStep } from "./second-step.tsx";
import { completeSignIn, offerPasskey } from "./session.ts";
import { webauthnAvailable } from "./webauthn.ts";
import "./login-page.css";

/** Signs in with a passkey, or with email and password and then the second factor if the account has one. */
export default function Login() {
  const [second, setSecond] = useState<SecondFactorRequired>();
  // The session may have ended while no page was open.
  useEffect(() => void clearPictures(), []);
  return second ? (
    <Page title={messages.secondFactor}>
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
  const form = useForm({ email: "", password: "" }, async (credentials) => {
    const answer = await signIn(credentials);
    if ("mfaRequired" in answer) return onSecond(answer);
    offerPasskey();
    finish(answer);
  });
  const demo = useMutation({
    mutationFn: signIn,
    onSuccess: (answer) => ("mfaRequired" in answer ? onSecond(answer) : finish(answer)),
  });
  return (
    <>
      <p className="statement login-statement">{messages.statement}</p>
      <Page title={messages.signIn}>
        <p className="login-intro">
          {messages.newHere} <Link href="/register">{messages.createAccount}</Link>
        </p>
        {webauthnAvailable && <PasskeySignIn />}
        <Form form={form} submitLabel={messages.signIn} submitLook={webauthnAvailable ? "plain" : "primary"}>
          <EmailField form={form} passkeys />
          <div className="login-password">
            <PasswordField form={form} />
            <Link href="/forgot-password">{messages.forgotPassword}</Link>
          </div>
        </Form>
        <Failure error={demo.error} />
        <DemoSignIn busy={demo.isPending} onChoose={demo.mutate} />
      </Page>
    </>
  );
}

function signIn(credentials: { email: string; password: string }) {
  return svc.post("/auth/login", { body: { ...credentials, deviceToken: storedDeviceToken() } });
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
    <>
      <Failure error={failure} />
      <Button look="primary" className="login-wide" busy={busy} onClick={() => void choose()}>
        <FingerprintPattern aria-hidden="true" />
        {messages.passkey}
      </Button>
      <p className="login-or">{messages.orWithEmail}</p>
    </>
  );
}
