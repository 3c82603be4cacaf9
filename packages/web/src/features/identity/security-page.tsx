import { Page } from "../../ui/page.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ApiTokens } from "./api-tokens.tsx";
import { LoginHistory } from "./login-history.tsx";
import { Reauthentication } from "./reauthentication.tsx";
import { Devices, Sessions } from "./sessions.tsx";
import { SignInSettings } from "./sign-in-settings.tsx";
import { TwoFactor } from "./two-factor.tsx";
import "./settings.css";

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
