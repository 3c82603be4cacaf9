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
      <h2 id="app">Authenticator app</h2>
      <Failure error={failure} />
      <ul className="items">
        <li>
          <div>
            <strong>{app.enabled ? "Set up" : "Not set up"}</strong>
            <p className="hint">
              {app.enabledAt
                ? `Since ${day(app.enabledAt)}.`
                : "An app on your phone that shows a new 6-digit code every 30 seconds."}
            </p>
          </div>
          {app.enabled ? (
            <Button onClick={() => setRemoving(true)}>Remove app…</Button>
          ) : (
            <Button look="primary" busy={busy} onClick={() => void begin()}>
              Set up app
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
            void onChanged("Authenticator app set up.", codes);
          }}
        />
      )}
      {removing && (
        <ConfirmAction
          title="Remove the authenticator app?"
          confirmLabel="Remove app"
          action={() => reauthenticate(() => svc.delete("/user/2fa/totp"))}
          onDone={() => {
            setRemoving(false);
            void onChanged("Authenticator app removed.");
          }}
          onClose={() => setRemoving(false)}
        >
          <p>
            Its codes will stop working. If you have no other second factor, your backup codes will stop
            working too.
          </p>
        </ConfirmAction>
      )}
    </section>
  );
}
