import type { ReactNode } from "react";

import { Link } from "wouter";
import { Problem, problemMessage } from "../base/api.ts";
import { percent } from "../base/format.ts";
import { Button } from "./button.tsx";
import { messages } from "./messages.ts";
import { RichText } from "./rich-text.tsx";

/** A spinner with a label. */
export function Loading({ label = messages.loading }: { label?: string }) {
  return (
    <div role="status" className="state">
      <span className="spinner" aria-hidden="true" />
      {label}
    </div>
  );
}

/** An empty state: says what is missing and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children}
    </div>
  );
}

/** Explains why loading failed and offers to try again. */
export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const problem = error instanceof Problem ? error : undefined;
  return (
    <div role="alert" className="state">
      <p className="state-title">{problem ? problemMessage(problem) : messages.failed}</p>
      {problem?.requestId && <p className="hint">{messages.requestId(problem.requestId)}</p>}
      {problem?.code === "ip_not_allowed" && (
        <p>
          <RichText
            text={messages.notAllowedHint}
            marks={{ link: (text) => <Link href="/emergency-bypass">{text}</Link> }}
          />
        </p>
      )}
      {problem?.code === "two_factor_required" && (
        <p>
          <Link href="/settings/security">{messages.setUpSecondFactor}</Link>
        </p>
      )}
      {retry && <Button onClick={retry}>{messages.tryAgain}</Button>}
    </div>
  );
}

/** Renders a query: loading, error or data. Renders `empty` instead of the data when `isEmpty` returns true. */
export function Loaded<Data>({
  query,
  isEmpty,
  empty,
  children,
}: {
  /** The result of useQuery or useInfiniteQuery. */
  query: { data: Data | undefined; isError: boolean; error: unknown; refetch: () => unknown };
  isEmpty?: (data: Data) => boolean;
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  // Keep showing the data that was loaded before when a refetch fails.
  if (query.data !== undefined) return isEmpty?.(query.data) ? empty : children(query.data);
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return <Loading />;
}

/** A progress bar. `share` is 0 to 1, or undefined when the progress is unknown. */
export function Progress({ label, share }: { label: string; share: number | undefined }) {
  return (
    <div className="progress">
      <progress
        aria-label={label}
        max={100}
        value={share === undefined ? undefined : Math.round(share * 100)}
      />
      <span aria-hidden="true">{share === undefined ? label : messages.progress(label, percent(share))}</span>
    </div>
  );
}
