import type { Overview } from "@svc/core/identity/factors/factors";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, post, remove } from "../../base/api.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { AppSetUp, type SetUp } from "./authenticator-app-setup.tsx";
import { BackupCodes } from "./backup-codes.tsx";
import { Passkeys } from "./passkeys.tsx";
import { useReauthentication } from "./reauthentication.tsx";

/** What is asked for at sign-in besides the password: an authenticator app, passkeys, and codes for when both are lost. */
export function TwoFactor() {
  const query = useQuery({
    queryKey: ["2fa"],
    queryFn: ({ signal }) => get<Overview>("/user/2fa", { signal }),
  });
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const changed = async (words: string, fresh?: readonly string[]) => {
    if (fresh) setCodes(fresh);
    toast(words);
    await Promise.all([
      client.invalidateQueries({ queryKey: ["2fa"] }),
      client.invalidateQueries({ queryKey: ["me"] }),
    ]);
  };
  return (
    <>
      <Loaded query={query}>
        {(factors) => (
          <>
            <p>
              {factors.enabled ? (
                <>
                  <strong className="good">Two factors are on.</strong> Signing in takes your password and one
                  of these.
                </>
              ) : (
                <>
                  <strong>Two factors are off.</strong> Whoever knows your password can sign in. Set up one of
                  these to be asked for more.
                </>
              )}
            </p>
            <App factors={factors} onChanged={changed} />
            <Passkeys keys={factors.webauthn} onChanged={changed} />
            {factors.enabled && <Backup left={factors.backupCodesLeft} onChanged={changed} />}
          </>
        )}
      </Loaded>
      {codes && (
        <Dialog title="Your backup codes" onClose={() => setCodes(undefined)}>
          <BackupCodes codes={codes} />
          <div className="row dialog-end">
            <Button look="primary" onClick={() => setCodes(undefined)}>
              I have kept them
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Called after a change, with the backup codes when it brought new ones. */
export type Changed = (words: string, codes?: readonly string[]) => Promise<void>;

function App({ factors: { totp }, onChanged }: { factors: Overview; onChanged: Changed }) {
  const guarded = useReauthentication();
  const [setUp, setSetUp] = useState<SetUp>();
  const [removing, setRemoving] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  async function begin(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    await guarded(() => post<SetUp>("/user/2fa/totp")).then(setSetUp, setFailure);
    setBusy(false);
  }
  return (
    <section aria-labelledby="app">
      <h2 id="app">Authenticator app</h2>
      <Failure error={failure} />
      <ul className="items">
        <li>
          <div>
            <strong>{totp.enabled ? "Set up" : "Not set up"}</strong>
            <p className="hint">
              {totp.enabledAt
                ? `Since ${day(totp.enabledAt)}.`
                : "An app on your telephone that shows a new code of six digits every half minute."}
            </p>
          </div>
          {totp.enabled ? (
            <Button onClick={() => setRemoving(true)}>Remove the app…</Button>
          ) : (
            <Button look="primary" busy={busy} onClick={() => void begin()}>
              Set up an app
            </Button>
          )}
        </li>
      </ul>
      {setUp && (
        <AppSetUp
          setUp={setUp}
          onClose={() => setSetUp(undefined)}
          onDone={(codes) => {
            setSetUp(undefined);
            void onChanged("Your authenticator app is set up.", codes);
          }}
        />
      )}
      {removing && (
        <ConfirmAction
          title="Remove the authenticator app?"
          confirmLabel="Remove it"
          work={() => guarded(() => remove("/user/2fa/totp"))}
          onDone={() => {
            setRemoving(false);
            void onChanged("The authenticator app is removed.");
          }}
          onClose={() => setRemoving(false)}
        >
          <p>Its codes will no longer work. Without another factor your backup codes are void as well.</p>
        </ConfirmAction>
      )}
    </section>
  );
}

function Backup({ left, onChanged }: { left: number; onChanged: Changed }) {
  const guarded = useReauthentication();
  const [asking, setAsking] = useState(false);
  return (
    <section aria-labelledby="backup">
      <h2 id="backup">Backup codes</h2>
      <ul className="items">
        <li>
          <div>
            <strong>{left === 0 ? "None left" : `${left} left`}</strong>
            <p className="hint">
              {left <= 3
                ? "Make new ones before you need them: without your device they are the only way in."
                : "Each works once, in place of your app or passkey."}
            </p>
          </div>
          <Button onClick={() => setAsking(true)}>Make new codes…</Button>
        </li>
      </ul>
      {asking && (
        <ConfirmAction
          title="Make new backup codes?"
          confirmLabel="Make new codes"
          work={() => guarded(() => post<{ backupCodes: string[] }>("/user/2fa/backup-codes"))}
          onDone={({ backupCodes }) => {
            setAsking(false);
            void onChanged("The old codes no longer work.", backupCodes);
          }}
          onClose={() => setAsking(false)}
        >
          <p>You get twelve new ones. The codes that you have now will no longer work.</p>
        </ConfirmAction>
      )}
    </section>
  );
}
