import { Reauthentication } from "../security/reauthentication.tsx";
import { TwoFactor } from "../security/two-factor.tsx";
import { Page } from "../ui/page.tsx";
import "../settings/settings.css";

/** Settings > Security: what protects the account, and who is signed in to it. */
export default function Security() {
  return (
    <Page title="Security">
      <Reauthentication>
        <TwoFactor />
      </Reauthentication>
    </Page>
  );
}
