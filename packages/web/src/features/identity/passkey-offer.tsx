import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { Button } from "../../ui/button.tsx";
import { RichText, strong } from "../../ui/rich-text.tsx";
import { toast } from "../../ui/toast.tsx";
import { BackupCodesDialog } from "./backup-codes-dialog.tsx";
import { AddPasskey } from "./passkeys.tsx";
import { endPasskeyOffer } from "./session.ts";
import { securityMessages } from "./settings-messages.ts";
import { webauthnAvailable } from "./webauthn.ts";

const messages = securityMessages.passkeyOffer;

/** Offers a passkey to a user who has just signed in with the password, has none, and whose device can store one. */
export default function PasskeyOffer() {
  const client = useQueryClient();
  const factors = useQuery({
    queryKey: ["2fa"],
    queryFn: ({ signal }) => svc.get("/user/2fa", { signal }),
  });
  const device = useQuery({ queryKey: ["passkey-device"], queryFn: canStorePasskeys });
  const [step, setStep] = useState<"asking" | "adding" | "done">("asking");
  const [codes, setCodes] = useState<readonly string[]>();
  function close(): void {
    endPasskeyOffer();
    setStep("done");
  }
  if (codes) return <BackupCodesDialog codes={codes} onClose={() => setCodes(undefined)} />;
  if (step === "done" || !device.data) return null;
  if (factors.data?.webauthn.every(({ kind }) => kind !== "passkey") !== true) return null;
  return (
    <section className="notice passkey-offer" aria-label={messages.label}>
      <p>
        <RichText text={messages.lead} marks={{ strong }} />
      </p>
      <div className="row">
        <Button look="primary" onClick={() => setStep("adding")}>
          {messages.create}
        </Button>
        <Button onClick={close}>{messages.dismiss}</Button>
      </div>
      {step === "adding" && (
        <AddPasskey
          kind="passkey"
          onClose={() => setStep("asking")}
          onDone={({ name, backupCodes }) => {
            close();
            setCodes(backupCodes);
            toast(securityMessages.added(name));
            void client.invalidateQueries({ queryKey: ["2fa"] });
            void client.invalidateQueries({ queryKey: ["me"] });
          }}
        />
      )}
    </section>
  );
}

async function canStorePasskeys(): Promise<boolean> {
  return webauthnAvailable && (await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable());
}
