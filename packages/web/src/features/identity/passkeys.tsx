import type { Overview } from "@svc/core/identity/factors/factors";
import type { Registered } from "@svc/core/identity/factors/webauthn";
import { useState } from "react";
import { post, remove } from "../../base/api.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { useReauthentication } from "./reauthentication.tsx";
import type { Changed } from "./two-factor.tsx";
import { createCredential, webauthnAvailable } from "./webauthn.ts";

type Key = Overview["webauthn"][number];

/** Fingerprint readers, faces, PINs and security keys that pass the second step. */
export function Passkeys({ keys, onChanged }: { keys: readonly Key[]; onChanged: Changed }) {
  const guarded = useReauthentication();
  const [adding, setAdding] = useState(false);
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
                Added {day(key.createdAt)} ·{" "}
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
              ? "Your fingerprint, your face, your device’s PIN or a security key."
              : "This browser cannot make passkeys. Use another one to add one."}
          </p>
          {webauthnAvailable && <Button onClick={() => setAdding(true)}>Add a passkey…</Button>}
        </li>
      </ul>
      {adding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onDone={({ name, backupCodes }) => {
            setAdding(false);
            void onChanged(`${name} is added.`, backupCodes);
          }}
        />
      )}
      {removing && (
        <ConfirmAction
          title={`Remove ${removing.name}?`}
          confirmLabel="Remove it"
          work={() => guarded(() => remove(`/user/2fa/webauthn/${removing.id}`))}
          onDone={() => {
            setRemoving(undefined);
            void onChanged(`${removing.name} is removed.`);
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>
            It will no longer pass the second step. Without another factor your backup codes are void as well.
          </p>
        </ConfirmAction>
      )}
    </section>
  );
}

function AddPasskey({ onClose, onDone }: { onClose: () => void; onDone: (key: Registered) => void }) {
  const guarded = useReauthentication();
  const form = useForm({ name: "" }, async ({ name }) => {
    const options = await guarded(() =>
      post<PublicKeyCredentialCreationOptionsJSON>("/user/2fa/webauthn/options"),
    );
    const credential = await createCredential(options);
    const named = name.trim() && { name: name.trim() };
    onDone(await guarded(() => post<Registered>("/user/2fa/webauthn", { credential, ...named })));
  });
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <Form
        form={form}
        submitLabel="Ask my device"
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
          hint="To tell it from others, for example “Laptop”."
          maxLength={100}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}
