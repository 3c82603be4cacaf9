import { Page } from "../../ui/page.tsx";
import { AllowListSection } from "./allow-list.tsx";
import { LoginMap } from "./login-map.tsx";

/** Settings > Workspace security: the IP allowlist and the map of sign-ins. */
export default function WorkspaceSecurity() {
  return (
    <Page title="Workspace security">
      <AllowListSection />
      <LoginMap />
    </Page>
  );
}
