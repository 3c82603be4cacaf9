import type { ReactNode } from "react";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ApiTokens } from "./api-tokens.tsx";
import { Devices } from "./devices.tsx";
import { LoginHistory } from "./login-history.tsx";
import { SecondFactorNotice } from "./second-factor-notice.tsx";
import { Sessions } from "./sessions.tsx";
import { securityMessages as messages } from "./settings-messages.ts";
import { SignInSettings } from "./sign-in-settings.tsx";
import { TwoFactor } from "./two-factor.tsx";

/** Settings > Security: second factors, sessions, devices, sign-in history and API tokens. */
export default function Security() {
  return (
    <Page title={messages.title}>
      <SecondFactorNotice />
      <p className="hint">{messages.auditNotice}</p>
      <Tabs
        label={messages.title}
        tabs={[
          { id: "factors", label: messages.tabs.factors, content: () => <TwoFactor /> },
          { id: "sessions", label: messages.tabs.sessions, content: SessionsAndDevices },
          { id: "history", label: messages.tabs.history, content: () => panel(<LoginHistory />) },
          { id: "tokens", label: messages.tabs.tokens, content: () => panel(<ApiTokens />) },
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
