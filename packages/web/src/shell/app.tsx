import { QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { Route, Switch } from "wouter";
import { queryClient } from "../base/query-client.ts";
import { CookieConsent } from "../features/consent/cookie-consent.tsx";
import { messages as uiMessages } from "../ui/messages.ts";
import { RichText } from "../ui/rich-text.tsx";
import { Loading } from "../ui/states.tsx";
import { Toasts } from "../ui/toast.tsx";
import { messages } from "./messages.ts";
import { type PageRoute, pages } from "./pages.ts";
import { loadPart, PartBoundary } from "./part-boundary.tsx";
import { PublicFrame } from "./public-frame.tsx";
import { ServerBanner } from "./server-banner.tsx";

const MemberFrame = lazy(() => loadPart(() => import("./member-frame.tsx")));
const lazyPages = new Map(pages.map(({ path, load }) => [path, lazy(() => loadPart(load))]));

/** The root component: consent banner, routes and toasts. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <CookieConsent />
      <Switch>
        {pages.map((page) => (
          <Route key={page.path} path={page.path}>
            <Framed page={page} />
          </Route>
        ))}
        <Route>
          <PublicFrame>
            <NotFound />
          </PublicFrame>
        </Route>
      </Switch>
      <ServerBanner />
      <Toasts />
    </QueryClientProvider>
  );
}

/** A page in its frame. A page that fails leaves its frame in place. */
function Framed({ page }: { page: PageRoute }) {
  const Content = lazyPages.get(page.path) as ComponentType;
  const content = (
    <Part>
      <Content />
    </Part>
  );
  if (page.public) return <PublicFrame>{content}</PublicFrame>;
  return (
    <Part>
      <MemberFrame page={page}>{content}</MemberFrame>
    </Part>
  );
}

function Part({ children }: { children: ReactNode }) {
  return (
    <PartBoundary>
      <Suspense fallback={<Loading />}>{children}</Suspense>
    </PartBoundary>
  );
}

function NotFound() {
  return (
    <>
      <title>{uiMessages.documentTitle(messages.notFound)}</title>
      <h1>{messages.notFound}</h1>
      <p>
        <RichText text={messages.notFoundHint} marks={{ link: (text) => <a href="/">{text}</a> }} />
      </p>
    </>
  );
}
