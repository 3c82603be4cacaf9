import { Link, useLocation } from "wouter";
import { type CurrentUser, hasPlan, hasRole } from "../base/current-user.ts";
import { Tooltip } from "../ui/tooltip.tsx";
import { messages } from "./messages.ts";
import { pageIcons } from "./page-icons.ts";
import { type PageRoute, pages } from "./pages.ts";

/** The links to all pages that the user's role can open, in groups. */
export function Navigation({
  current,
  collapsed = false,
  onNavigate,
}: {
  current: CurrentUser | undefined;
  /** Only the icons are visible; tooltips show the titles. */
  collapsed?: boolean;
  onNavigate?: () => void;
}) {
  const shown = pages.filter(
    ({ group, role }) => group && (!role || (current && hasRole(current.workspace.role, role))),
  );
  const groups = [...new Set(shown.flatMap(({ group }) => group ?? []))];
  return (
    <nav className="nav" aria-label={messages.mainNavigation}>
      {groups.map((group, index) => (
        <section key={group} aria-label={messages.groups[group]}>
          {index > 0 && (
            <p className="nav-group" aria-hidden="true">
              {messages.groups[group]}
            </p>
          )}
          <ul>
            {shown
              .filter((page) => page.group === group)
              .map((page) => (
                <li key={page.path}>
                  <NavigationLink
                    page={page}
                    missingPlan={
                      current && page.plan && !hasPlan(current.workspace.plan, page.plan)
                        ? page.plan
                        : undefined
                    }
                    collapsed={collapsed}
                    onNavigate={onNavigate}
                  />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function NavigationLink({
  page: { path, title },
  missingPlan,
  collapsed,
  onNavigate,
}: {
  page: PageRoute;
  /** The required plan, if the workspace has a smaller one. */
  missingPlan: string | undefined;
  collapsed: boolean;
  onNavigate: (() => void) | undefined;
}) {
  const Icon = pageIcons[path];
  const link = (
    <Link
      href={path}
      className="nav-link"
      aria-current={useIsCurrent(path) ? "page" : undefined}
      onClick={onNavigate}
    >
      {Icon && <Icon className="nav-icon" />}
      <span className="nav-title">{title}</span>{" "}
      {missingPlan && <small className="nav-plan">{missingPlan}</small>}
    </Link>
  );
  return collapsed ? (
    <Tooltip text={title} placement="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}

/** Tells whether a page, or one below its path, is open. */
export function useIsCurrent(path: string): boolean {
  const [location] = useLocation();
  return path === "/" ? location === "/" : `${location}/`.startsWith(`${path}/`);
}
