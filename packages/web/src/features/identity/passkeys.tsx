import type { RegisteredPasskey, SecondFactors } from "@svc/client";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import type { FactorsChanged } from "./factors-changed.ts";
import { signalPasskeys } from "./passkey.ts";
import { useReauthentication } from "./reauthentication.tsx";
import { createCredential, webauthnAvailable } from "./webauthn.ts";

type Key = SecondFactors["webauthn"][number];
type Kind = Key["kind"];

const nouns: Record<Kind, string> = { passkey: "passkey", security_key: "security key" };

/** Lists, adds and removes passkeys and security keys. */
export function Passkeys({ keys, onChanged }: { keys: readonly Key[]; onChanged: FactorsChanged }) {
  const reauthenticate = useReauthentication();
  const { me } = useCurrentUser();
  const [adding, setAdding] = useState<Kind>();
  const [removing, setRemoving] = useState<Key>();
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys and security keys</h2>
      <ul className="items">
        {keys.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.name}</strong>
              <p className="hint">
                {key.kind === "passkey" ? "Passkey: signs you in without a password" : "Second factor only"} ·
                added {day(key.createdAt)} ·{" "}
                {key.lastUsedAt ? `last used ${day(key.lastUsedAt)}` : "not used yet"}
              </p>
            </div>
            <Button onClick={() => setRemoving(key)} aria-label={`Remove ${key.name}`}>
              Remove…
            </Button>
          </li>
        ))}
        <li>
          <p className="hint">
            {webauthnAvailable
              ? "A passkey signs you in with your fingerprint, face or device PIN. A security key is a second factor after your password."
              : "This browser does not support passkeys. Use another browser to add one."}
          </p>
          {webauthnAvailable && (
            <div className="row">
              <Button onClick={() => setAdding("passkey")}>Add passkey…</Button>
              <Button onClick={() => setAdding("security_key")}>Add security key…</Button>
            </div>
          )}
        </li>
      </ul>
      {adding && (
        <AddPasskey
          kind={adding}
          onClose={() => setAdding(undefined)}
          onDone={({ name, backupCodes }) => {
            setAdding(undefined);
            void onChanged(`${name} added.`, backupCodes);
          }}
        />
      )}
      {removing && (
        <ConfirmAction
          title={`Remove ${removing.name}?`}
          confirmLabel={`Remove ${nouns[removing.kind]}`}
          action={() =>
            reauthenticate(() => svc.delete("/user/2fa/webauthn/{id}", { path: { id: removing.id } }))
          }
          onDone={() => {
            setRemoving(undefined);
            void onChanged(`${removing.name} removed.`);
            void signalPasskeys(me);
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>
            You can no longer sign in with it. If you have no other second factor, your backup codes will stop
            working too.
          </p>
        </ConfirmAction>
      )}
    </section>
  );
}

/** A dialog that registers a passkey or a security key on this device. */
export function AddPasskey({
  kind,
  onClose,
  onDone,
}: {
  kind: Kind;
  onClose: () => void;
  onDone: (key: RegisteredPasskey) => void;
}) {
  const reauthenticate = useReauthentication();
  const form = useForm({ name: "" }, async ({ name }) => {
    const options = await reauthenticate(() => svc.post("/user/2fa/webauthn/options", { query: { kind } }));
    const credential = await createCredential(options);
    const body = { credential, name: name.trim() || undefined };
    onDone(await reauthenticate(() => svc.post("/user/2fa/webauthn", { body })));
  });
  return (
    <Dialog title={`Add ${nouns[kind]}`} onClose={onClose}>
      <Form
        form={form}
        submitLabel="Continue with device"
        actions={
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <TextField
          form={form}
          name="name"
          label="Name"
          hint="Helps you recognize it later, for example “Laptop”."
          maxLength={100}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}
