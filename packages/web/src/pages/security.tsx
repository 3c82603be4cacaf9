import { ApiTokens } from "../security/api-tokens.tsx";
import { LoginHistory } from "../security/login-history.tsx";
import { Reauthentication } from "../security/reauthentication.tsx";
import { Devices, Sessions } from "../security/sessions.tsx";
import { SignInSettings } from "../security/sign-in-settings.tsx";
import { TwoFactor } from "../security/two-factor.tsx";
import { Page } from "../ui/page.tsx";
import { Tabs } from "../ui/tabs.tsx";
import "../settings/settings.css";

/** Settings > Security: what protects the account, and who is signed in to it. */
export default function Security() {
  return (
    <Page title="Security">
      <Reauthentication>
        <Tabs
          label="Security"
          tabs={[
            { id: "factors", label: "Two factors", content: () => <TwoFactor /> },
            { id: "sessions", label: "Sessions and devices", content: SessionsAndDevices },
            { id: "history", label: "Login history", content: () => <LoginHistory /> },
            { id: "tokens", label: "API tokens", content: () => <ApiTokens /> },
          ]}
        />
      </Reauthentication>
    </Page>
  );
}

function SessionsAndDevices() {
  return (
    <>
      <Sessions />
      <Devices />
      <SignInSettings />
    </>
  );
}
