import type { ReactNode } from "react";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ApiTokens } from "./api-tokens.tsx";
import { Devices } from "./devices.tsx";
import { LoginHistory } from "./login-history.tsx";
import { SecondFactorNotice } from "./second-factor-notice.tsx";
import { Sessions } from "./sessions.tsx";
import { SignInSettings } from "./sign-in-settings.tsx";
import { TwoFactor } from "./two-factor.tsx";

/** Settings > Security: second factors, sessions, devices, sign-in history and API tokens. */
export default function Security() {
  return (
    <Page title="Security">
      <SecondFactorNotice />
      <p className="hint">
        Admins of your workspaces on the ENTERPRISE plan see in the audit log when and from where you signed
        in or failed to, and what you changed in your account; of your profile they see the names of the
        changed fields, not their values.
      </p>
      <Tabs
        label="Security"
        tabs={[
          { id: "factors", label: "Two-factor authentication", content: () => <TwoFactor /> },
          { id: "sessions", label: "Sessions and devices", content: SessionsAndDevices },
          { id: "history", label: "Sign-in history", content: () => panel(<LoginHistory />) },
          { id: "tokens", label: "API tokens", content: () => panel(<ApiTokens />) },
        ]}
      />
    </Page>
  );
}

function panel(section: ReactNode) {
  return <Panels>{section}</Panels>;
}

function SessionsAndDevices() {
  return (
    <Panels>
      <Sessions />
      <Devices />
      <SignInSettings />
    </Panels>
  );
}
