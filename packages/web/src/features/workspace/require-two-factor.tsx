import type { WorkspaceSettings } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { useReauthentication } from "../identity/reauthentication.tsx";
import { useWorkspaceSettings, workspaceParts } from "./workspace-settings.ts";

/** Turns on and off that members need a second factor. */
export function RequireTwoFactor() {
  const query = useWorkspaceSettings();
  return (
    <section aria-labelledby="require-two-factor">
      <h2 id="require-two-factor">Two-factor authentication</h2>
      <Loaded query={query}>
        {(settings) =>
          settings.requireTwoFactor ? <Required settings={settings} /> : <NotRequired settings={settings} />
        }
      </Loaded>
    </section>
  );
}

function Required({ settings }: { settings: WorkspaceSettings }) {
  const [asking, setAsking] = useState(false);
  const save = useSave(settings);
  return (
    <>
      <p>
        <strong className="good">Required.</strong> Only members with an authenticator app, a passkey or a
        security key can access this workspace, and only their API tokens work.
      </p>
      <Button onClick={() => setAsking(true)}>Stop requiring…</Button>
      {asking && (
        <ConfirmAction
          title="Stop requiring two-factor authentication?"
          confirmLabel="Stop requiring"
          action={() => save(false)}
          onDone={(saved) => {
            setAsking(false);
            if (saved) toast("Two-factor authentication is no longer required.");
          }}
          onClose={() => setAsking(false)}
        >
          <p>Members can then access this workspace with only their password.</p>
        </ConfirmAction>
      )}
    </>
  );
}

function NotRequired({ settings }: { settings: WorkspaceSettings }) {
  const { me } = useCurrentUser();
  const [asking, setAsking] = useState(false);
  const save = useSave(settings);
  return (
    <>
      <p>
        <strong>Not required.</strong> When it is required, only members with an authenticator app, a passkey
        or a security key can access this workspace.
      </p>
      {me.twoFactorEnabled ? (
        <Button onClick={() => setAsking(true)}>Require two-factor authentication…</Button>
      ) : (
        <p>
          To require it of all members, first{" "}
          <Link href="/settings/security?next=/settings/workspace-security">
            set up two-factor authentication
          </Link>{" "}
          for your own account.
        </p>
      )}
      {asking && (
        <ConfirmAction
          title="Require two-factor authentication?"
          confirmLabel="Require"
          action={() => save(true)}
          onDone={(saved) => {
            setAsking(false);
            if (saved) toast("Two-factor authentication is now required.");
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            Members without a second factor lose access to this workspace immediately, until they set one up.
            The same applies to their API tokens.
          </p>
        </ConfirmAction>
      )}
    </>
  );
}

/** Returns a function that saves the setting. Returns false if the user took another one that was saved meanwhile. */
function useSave(settings: WorkspaceSettings) {
  const client = useQueryClient();
  const reauthenticate = useReauthentication();
  const edit = useEdit(settings, workspaceParts, { follow: true });
  return async (requireTwoFactor: boolean) => {
    const { saved } = await edit.save({ requireTwoFactor }, (changes, ifMatch) =>
      reauthenticate(() => svc.patch("/api/v1/workspace", { body: changes, ifMatch })),
    );
    await Promise.all(["workspace", "me"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
    return saved;
  };
}
