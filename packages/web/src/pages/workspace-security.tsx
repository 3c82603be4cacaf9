import { Page } from "../ui/page.tsx";
import { AllowListSection } from "../workspace-security/allow-list.tsx";
import { LoginMap } from "../workspace-security/login-map.tsx";
import "../workspace-security/workspace-security.css";

/** Settings > Workspace security: from where the workspace may be reached, and from where people sign in. */
export default function WorkspaceSecurity() {
  return (
    <Page title="Workspace security">
      <AllowListSection />
      <LoginMap />
    </Page>
  );
}
