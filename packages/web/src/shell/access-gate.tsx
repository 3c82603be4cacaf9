import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { type CurrentUser, hasPlan, hasRole, needsSecondFactor } from "../base/current-user.ts";
import { planChangeHint } from "../features/workspace/plan-features.ts";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import type { PageRoute } from "./pages.ts";

/** Renders the page, or explains that it needs a second factor, a plan or a role. The API enforces the same rules. */
export function AccessGate({
  page,
  current,
  children,
}: {
  page: PageRoute;
  current: CurrentUser;
  children: ReactNode;
}) {
  const [location] = useLocation();
  const { name, role, plan } = current.workspace;
  if (!page.account && needsSecondFactor(current))
    return (
      <Page title={page.title}>
        <Empty title={`${name} requires two-factor authentication`}>
          <p>
            Set up an authenticator app, a passkey or a security key for your account. Then continue here.
          </p>
          <p>
            <Link href={`/settings/security?next=${encodeURIComponent(location)}`}>
              Set up two-factor authentication
            </Link>
          </p>
        </Empty>
      </Page>
    );
  if (page.plan && !hasPlan(plan, page.plan))
    return (
      <Page title={page.title}>
        <Empty title={`Available on the ${page.plan} plan`}>
          {page.about && <p>{page.about}</p>}
          <p>
            This workspace is on the {plan} plan. {planChangeHint(role)}
          </p>
        </Empty>
      </Page>
    );
  if (page.role && !hasRole(role, page.role))
    return (
      <Page title={page.title}>
        <Empty title={`You need the ${page.role} role or higher to open this page`}>
          <p>Your role in this workspace is {role}.</p>
        </Empty>
      </Page>
    );
  return children;
}
