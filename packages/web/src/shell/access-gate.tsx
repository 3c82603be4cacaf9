import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { type CurrentUser, hasPlan, hasRole, needsSecondFactor } from "../base/current-user.ts";
import { planChangeHint } from "../features/workspace/plan-features.ts";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import { messages } from "./messages.ts";
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
        <Empty title={messages.needsSecondFactor(name)}>
          <p>{messages.needsSecondFactorHint}</p>
          <p>
            <Link href={`/settings/security?next=${encodeURIComponent(location)}`}>
              {messages.setUpSecondFactor}
            </Link>
          </p>
        </Empty>
      </Page>
    );
  if (page.plan && !hasPlan(plan, page.plan))
    return (
      <Page title={page.title}>
        <Empty title={messages.needsPlan(page.plan)}>
          {page.about && <p>{page.about}</p>}
          <p>{messages.onPlan(plan, planChangeHint(role))}</p>
        </Empty>
      </Page>
    );
  if (page.role && !hasRole(role, page.role))
    return (
      <Page title={page.title}>
        <Empty title={messages.needsRole(messages.roles[page.role])}>
          <p>{messages.yourRole(messages.roles[role])}</p>
        </Empty>
      </Page>
    );
  return children;
}
