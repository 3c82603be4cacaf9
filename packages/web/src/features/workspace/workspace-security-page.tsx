import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { AllowListSection } from "./allow-list.tsx";
import { LoginMap } from "./login-map.tsx";
import { messages } from "./messages.ts";
import { RequireTwoFactor } from "./require-two-factor.tsx";

/** Settings > Workspace security: the IP allowlist, the requirement of a second factor, and the map of sign-ins. */
export default function WorkspaceSecurity() {
  return (
    <Page title={messages.security.title}>
      <Panels>
        <AllowListSection />
        <RequireTwoFactor />
        <LoginMap />
      </Panels>
    </Page>
  );
}
