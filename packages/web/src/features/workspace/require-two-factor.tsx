import type { WorkspaceSettings } from "@svc/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { useEdit } from "../../ui/conflict.tsx";
import { RichText, strong } from "../../ui/rich-text.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { useReauthentication } from "../identity/reauthentication.tsx";
import { messages } from "./messages.ts";
import { useWorkspaceSettings, workspaceParts } from "./workspace-settings.ts";

/** Turns on and off that members need a second factor. */
export function RequireTwoFactor() {
  const query = useWorkspaceSettings();
  return (
    <section aria-labelledby="require-two-factor">
      <h2 id="require-two-factor">{messages.security.twoFactor.title}</h2>
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
        <RichText
          text={messages.security.twoFactor.required}
          marks={{ strong: (text) => <strong className="good">{text}</strong> }}
        />
      </p>
      <Button onClick={() => setAsking(true)}>{messages.security.twoFactor.stop}</Button>
      {asking && (
        <ConfirmAction
          title={messages.security.twoFactor.stopQuestion}
          confirmLabel={messages.security.twoFactor.stopConfirm}
          action={() => save(false)}
          onDone={(saved) => {
            setAsking(false);
            if (saved) toast(messages.security.twoFactor.stopped);
          }}
          onClose={() => setAsking(false)}
        >
          <p>{messages.security.twoFactor.stopWarning}</p>
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
        <RichText text={messages.security.twoFactor.notRequired} marks={{ strong }} />
      </p>
      {me.twoFactorEnabled ? (
        <Button onClick={() => setAsking(true)}>{messages.security.twoFactor.ask}</Button>
      ) : (
        <p>
          <RichText
            text={messages.security.twoFactor.ownFirst}
            marks={{
              link: (text) => <Link href="/settings/security?next=/settings/workspace-security">{text}</Link>,
            }}
          />
        </p>
      )}
      {asking && (
        <ConfirmAction
          title={messages.security.twoFactor.question}
          confirmLabel={messages.security.twoFactor.confirm}
          action={() => save(true)}
          onDone={(saved) => {
            setAsking(false);
            if (saved) toast(messages.security.twoFactor.started);
          }}
          onClose={() => setAsking(false)}
        >
          <p>{messages.security.twoFactor.warning}</p>
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
