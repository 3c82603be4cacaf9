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
import { securityMessages } from "./settings-messages.ts";
import { createCredential, webauthnAvailable } from "./webauthn.ts";

type Key = SecondFactors["webauthn"][number];
type Kind = Key["kind"];

const messages = securityMessages.passkeys;

/** Lists, adds and removes passkeys and security keys. */
export function Passkeys({ keys, onChanged }: { keys: readonly Key[]; onChanged: FactorsChanged }) {
  const reauthenticate = useReauthentication();
  const { me } = useCurrentUser();
  const [adding, setAdding] = useState<Kind>();
  const [removing, setRemoving] = useState<Key>();
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">{messages.title}</h2>
      <ul className="items">
        {keys.map((key) => (
          <li key={key.id}>
            <div>
              <strong>{key.name}</strong>
              <p className="hint">{details(key)}</p>
            </div>
            <Button onClick={() => setRemoving(key)} aria-label={messages.askFor(key.name)}>
              {messages.ask}
            </Button>
          </li>
        ))}
        <li>
          <p className="hint">{webauthnAvailable ? messages.hint : messages.unsupported}</p>
          {webauthnAvailable && (
            <div className="row">
              <Button onClick={() => setAdding("passkey")}>{messages.add.passkey}</Button>
              <Button onClick={() => setAdding("security_key")}>{messages.add.security_key}</Button>
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
            void onChanged(securityMessages.added(name), backupCodes);
          }}
        />
      )}
      {removing && (
        <ConfirmAction
          title={messages.question(removing.name)}
          confirmLabel={messages.confirm[removing.kind]}
          action={() =>
            reauthenticate(() => svc.delete("/user/2fa/webauthn/{id}", { path: { id: removing.id } }))
          }
          onDone={() => {
            setRemoving(undefined);
            void onChanged(securityMessages.removed(removing.name));
            void signalPasskeys(me);
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>{messages.warning}</p>
        </ConfirmAction>
      )}
    </section>
  );
}

function details({ kind, createdAt, lastUsedAt }: Key): string {
  const added = day(createdAt);
  return lastUsedAt
    ? messages.used(messages.kinds[kind], added, day(lastUsedAt))
    : messages.unused(messages.kinds[kind], added);
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
    <Dialog title={messages.addTitle[kind]} onClose={onClose}>
      <Form
        form={form}
        submitLabel={messages.continue}
        actions={
          <Button look="quiet" onClick={onClose}>
            {securityMessages.cancel}
          </Button>
        }
      >
        <TextField
          form={form}
          name="name"
          label={messages.name}
          hint={messages.nameHint}
          maxLength={100}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}
