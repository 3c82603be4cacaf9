import type { SecondFactorRequired, SignedIn } from "@svc/client";
import { useEffect, useState } from "react";
import { svc } from "../../base/api.ts";
import { setCookie, setCurrentWorkspace } from "../../base/cookies.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { beginPictures } from "../../base/picture-cache.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { storeDeviceToken, storedDeviceToken } from "./device-token.ts";
import { messages, sessionMessages } from "./messages.ts";
import { signInWithPasskey } from "./passkey.ts";
import { SecondStep } from "./second-step.tsx";
import { askToSignInAgain, completeSignIn, redirectToSignIn } from "./session.ts";
import { webauthnAvailable } from "./webauthn.ts";

/**
 * Asks the user to sign in again over the page when the session has ended. The requests that failed wait for the answer and are
 * then repeated. Closing the dialog leaves the page as it is, with the failure of these requests.
 */
export function SignInAgain() {
  const { me, workspace, team } = useCurrentUser();
  const [asking, setAsking] = useState<PromiseWithResolvers<boolean>>();
  useEffect(() => {
    let waiting: PromiseWithResolvers<boolean> | undefined;
    askToSignInAgain(async () => {
      waiting ??= Promise.withResolvers();
      setAsking(waiting);
      try {
        return await waiting.promise;
      } finally {
        waiting = undefined;
        setAsking(undefined);
      }
    });
    return () => {
      askToSignInAgain(undefined);
      waiting?.resolve(false);
    };
  }, []);
  if (!asking) return null;

  function finish({ user, deviceToken }: SignedIn): void {
    storeDeviceToken(deviceToken);
    // Signing out in another tab may have cleared the selection of this one.
    setCurrentWorkspace(workspace);
    setCookie("svc_current_unit", team?.id);
    // A passkey can belong to another account, to which nothing on this page belongs.
    if (user.id !== me.id) completeSignIn(user);
    else beginPictures(user.id);
    asking?.resolve(user.id === me.id);
  }
  return (
    <Dialog title={sessionMessages.ended} onClose={() => asking.resolve(false)} discardable>
      <p>{sessionMessages.signInAgain(me.email)}</p>
      <SignIn email={me.email} onSignedIn={finish} />
    </Dialog>
  );
}

function SignIn({ email, onSignedIn }: { email: string; onSignedIn: (answer: SignedIn) => void }) {
  const [second, setSecond] = useState<SecondFactorRequired>();
  const form = useForm({ password: "" }, async ({ password }) => {
    const body = { email, password, deviceToken: storedDeviceToken() };
    const answer = await svc.post("/auth/login", { body });
    if ("mfaRequired" in answer) setSecond(answer);
    else onSignedIn(answer);
  });
  if (second)
    return <SecondStep login={second} onSignedIn={onSignedIn} onRestart={() => setSecond(undefined)} />;
  return (
    <>
      <Form
        form={form}
        submitLabel={messages.signIn}
        actions={<Button onClick={redirectToSignIn}>{sessionMessages.useAnotherAccount}</Button>}
      >
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextField
          form={form}
          name="password"
          label={messages.password}
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
      {webauthnAvailable && <Passkey onSignedIn={onSignedIn} />}
    </>
  );
}

function Passkey({ onSignedIn }: { onSignedIn: (answer: SignedIn) => void }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  async function choose(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    await signInWithPasskey()
      .then(onSignedIn, setFailure)
      .finally(() => setBusy(false));
  }
  return (
    <>
      <Failure error={failure} />
      <Button busy={busy} onClick={() => void choose()}>
        {messages.passkey}
      </Button>
    </>
  );
}
