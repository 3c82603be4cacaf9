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
const lazies = new Map<string, ComponentType>(pages.map(({ path, load }) => [path, lazy(load)]));

/** The whole client. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <CookieConsent />
      <Failsafe>
        <Suspense fallback={<Loading />}>
          <Switch>
            {pages.map((line) => {
              const Content = lazies.get(line.path) as ComponentType;
              return (
                <Route key={line.path} path={line.path}>
                  {line.open ? (
                    <PublicFrame>
                      <Content />
                    </PublicFrame>
                  ) : (
                    <MemberFrame line={line}>
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
      </Failsafe>
      <Toasts />
    </QueryClientProvider>
  );
}

function NotFound() {
  return (
    <>
      <title>Not found · svc</title>
      <h1>There is no such page</h1>
      <p>
        Perhaps the address is mistyped. <a href="/">Go to the start</a>.
      </p>
    </>
  );
}

/** What a page throws while it is drawn, or a part of the client that a new release has replaced. */
class Failsafe extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (!this.state.error) return this.props.children;
    return (
      <main className="open">
        <ErrorState error={this.state.error} retry={() => location.reload()} />
      </main>
    );
  }
}
