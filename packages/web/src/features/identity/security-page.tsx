import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ApiTokens } from "./api-tokens.tsx";
import { Devices } from "./devices.tsx";
import { LoginHistory } from "./login-history.tsx";
import { Reauthentication } from "./reauthentication.tsx";
import { Sessions } from "./sessions.tsx";
import { SignInSettings } from "./sign-in-settings.tsx";
import { TwoFactor } from "./two-factor.tsx";

/** Settings > Security: second factors, sessions, devices, sign-in history and API tokens. */
export default function Security() {
  return (
    <Page title="Security">
      <Reauthentication>
        <Tabs
          label="Security"
          tabs={[
            { id: "factors", label: "Two-factor authentication", content: () => <TwoFactor /> },
            { id: "sessions", label: "Sessions and devices", content: SessionsAndDevices },
            { id: "history", label: "Sign-in history", content: () => <LoginHistory /> },
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
