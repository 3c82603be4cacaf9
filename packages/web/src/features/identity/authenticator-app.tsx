import type { SecondFactors, AuthenticatorAppSetup as SetUp } from "@svc/client";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { AuthenticatorAppSetup } from "./authenticator-app-setup.tsx";
import type { FactorsChanged } from "./factors-changed.ts";
import { useReauthentication } from "./reauthentication.tsx";
import { securityMessages } from "./settings-messages.ts";

const messages = securityMessages.app;

/** Sets up and removes the authenticator app. */
export function AuthenticatorApp({
  app,
  onChanged,
}: {
  app: SecondFactors["totp"];
  onChanged: FactorsChanged;
}) {
  const reauthenticate = useReauthentication();
  const [setUp, setSetUp] = useState<SetUp>();
  const [removing, setRemoving] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  async function begin(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    await reauthenticate(() => svc.post("/user/2fa/totp")).then(setSetUp, setFailure);
    setBusy(false);
  }
  return (
    <section aria-labelledby="app">
      <h2 id="app">{messages.title}</h2>
      <Failure error={failure} />
      <ul className="items">
        <li>
          <div>
            <strong>{app.enabled ? messages.enabled : messages.disabled}</strong>
            <p className="hint">{app.enabledAt ? messages.since(day(app.enabledAt)) : messages.hint}</p>
          </div>
          {app.enabled ? (
            <Button onClick={() => setRemoving(true)}>{messages.ask}</Button>
          ) : (
            <Button look="primary" busy={busy} onClick={() => void begin()}>
              {messages.setUp}
            </Button>
          )}
        </li>
      </ul>
      {setUp && (
        <AuthenticatorAppSetup
          setUp={setUp}
          onClose={() => setSetUp(undefined)}
          onDone={(codes) => {
            setSetUp(undefined);
            void onChanged(messages.setUpDone, codes);
          }}
        />
      )}
      {removing && (
        <ConfirmAction
          title={messages.question}
          confirmLabel={messages.confirm}
          action={() => reauthenticate(() => svc.delete("/user/2fa/totp"))}
          onDone={() => {
            setRemoving(false);
            void onChanged(messages.removed);
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{messages.warning}</p>
        </ConfirmAction>
      )}
    </section>
  );
}
