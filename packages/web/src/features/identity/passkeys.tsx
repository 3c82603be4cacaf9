import type { Overview } from "@svc/core/identity/factors/factors";
import type { Registered } from "@svc/core/identity/factors/webauthn";
import { useState } from "react";
import { post, remove } from "../../base/api.ts";
import { day } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import type { FactorsChanged } from "./factors-changed.ts";
import { useReauthentication } from "./reauthentication.tsx";
import { createCredential, webauthnAvailable } from "./webauthn.ts";

type Key = Overview["webauthn"][number];

/** Lists, adds and removes passkeys and security keys. */
export function Passkeys({ keys, onChanged }: { keys: readonly Key[]; onChanged: FactorsChanged }) {
  const reauthenticate = useReauthentication();
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
              ? "Use your fingerprint, face, device PIN or a security key."
              : "This browser does not support passkeys. Use another browser to add one."}
          </p>
          {webauthnAvailable && <Button onClick={() => setAdding(true)}>Add passkey…</Button>}
        </li>
      </ul>
      {adding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onDone={({ name, backupCodes }) => {
            setAdding(false);
            void onChanged(`${name} added.`, backupCodes);
          }}
        />
      )}
      {removing && (
        <ConfirmAction
          title={`Remove ${removing.name}?`}
          confirmLabel="Remove passkey"
          action={() => reauthenticate(() => remove(`/user/2fa/webauthn/${removing.id}`))}
          onDone={() => {
            setRemoving(undefined);
            void onChanged(`${removing.name} removed.`);
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

function AddPasskey({ onClose, onDone }: { onClose: () => void; onDone: (key: Registered) => void }) {
  const reauthenticate = useReauthentication();
  const form = useForm({ name: "" }, async ({ name }) => {
    const options = await reauthenticate(() =>
      post<PublicKeyCredentialCreationOptionsJSON>("/user/2fa/webauthn/options"),
    );
    const credential = await createCredential(options);
    const trimmed = name.trim();
    onDone(
      await reauthenticate(() =>
        post<Registered>("/user/2fa/webauthn", {
          credential,
          ...(trimmed && { name: trimmed }),
        }),
      ),
    );
  });
  return (
    <Dialog title="Add passkey" onClose={onClose}>
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
