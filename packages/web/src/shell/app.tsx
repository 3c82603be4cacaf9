import { QueryClientProvider } from "@tanstack/react-query";
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { Route, Switch } from "wouter";
import { queryClient } from "../base/query-client.ts";
import { CookieConsent } from "../features/consent/cookie-consent.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";
import { Toasts } from "../ui/toast.tsx";
import { pages } from "./pages.ts";
import { PublicFrame } from "./public-frame.tsx";

const MemberFrame = lazy(() => import("./member-frame.tsx"));
const lazyPages = new Map<string, ComponentType>(pages.map(({ path, load }) => [path, lazy(load)]));

/** The root component: consent banner, routes and toasts. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <CookieConsent />
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          <Switch>
            {pages.map((page) => {
              const Content = lazyPages.get(page.path) as ComponentType;
              return (
                <Route key={page.path} path={page.path}>
                  {page.public ? (
                    <PublicFrame>
                      <Content />
                    </PublicFrame>
                  ) : (
                    <MemberFrame page={page}>
                      <Content />
                    </MemberFrame>
                  )}
                </Route>
              );
            })}
            <Route>
              <PublicFrame>
                <NotFound />
              </PublicFrame>
            </Route>
          </Switch>
        </Suspense>
      </ErrorBoundary>
      <Toasts />
    </QueryClientProvider>
  );
}

function NotFound() {
  return (
    <>
      <title>Page not found · svc</title>
      <h1>Page not found</h1>
      <p>
        Check the URL, or <a href="/">go to the home page</a>.
      </p>
    </>
  );
}

/** Catches rendering errors, and modules that fail to load because a new release has replaced them. */
class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return (
      <main className="public-main">
        <ErrorState error={this.state.error} retry={() => location.reload()} />
      </main>
    );
  }
}
