import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { AuthenticatorApp } from "./authenticator-app.tsx";
import { BackupCodes } from "./backup-codes.tsx";
import { BackupCodesDialog } from "./backup-codes-dialog.tsx";
import type { FactorsChanged } from "./factors-changed.ts";
import { Passkeys } from "./passkeys.tsx";
import "./two-factor.css";
import { RichText } from "../../ui/rich-text.tsx";
import { securityMessages } from "./settings-messages.ts";

/** The second factors of the account: authenticator app, passkeys and backup codes. */
export function TwoFactor() {
  const query = useQuery({
    queryKey: ["2fa"],
    queryFn: ({ signal }) => svc.get("/user/2fa", { signal }),
  });
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const changed: FactorsChanged = async (message, newCodes) => {
    if (newCodes) setCodes(newCodes);
    toast(message);
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
            <Status enabled={factors.enabled} />
            <AuthenticatorApp app={factors.totp} onChanged={changed} />
            <Passkeys keys={factors.webauthn} onChanged={changed} />
            {factors.enabled && <BackupCodes left={factors.backupCodesLeft} onChanged={changed} />}
          </>
        )}
      </Loaded>
      {codes && <BackupCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  );
}

function Status({ enabled }: { enabled: boolean }) {
  const { on, off } = securityMessages.factors;
  return (
    <p>
      <RichText
        text={enabled ? on : off}
        marks={{ strong: (text) => <strong className={enabled ? "good" : undefined}>{text}</strong> }}
      />
    </p>
  );
}
