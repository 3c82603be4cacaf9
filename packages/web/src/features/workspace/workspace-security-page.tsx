import { Page } from "../../ui/page.tsx";
import { AllowListSection } from "./allow-list.tsx";
import { LoginMap } from "./login-map.tsx";
import "./workspace-security.css";

/** Settings > Workspace security: from where the workspace may be reached, and from where people sign in. */
export default function WorkspaceSecurity() {
  return (
    <Page title="Workspace security">
      <AllowListSection />
      <LoginMap />
    </Page>
  );
}
