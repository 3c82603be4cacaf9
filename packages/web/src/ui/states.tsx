import type { ReactNode } from "react";

import { Link } from "wouter";
import { Problem, problemMessage } from "../base/api.ts";
import { Button } from "./button.tsx";

/** A spinner with a label. */
export function Loading({ label = "Loading…" }: { label?: string }) {
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
      <p className="state-title">
        {problem ? problemMessage(problem) : "Something went wrong. Reload the page and try again."}
      </p>
      {problem?.requestId && <p className="hint">Request ID: {problem.requestId}</p>}
      {problem?.code === "ip_not_allowed" && (
        <p>
          You can still manage your account. Admins can{" "}
          <Link href="/emergency-bypass">use emergency access</Link>.
        </p>
      )}
      {problem?.code === "two_factor_required" && (
        <p>
          <Link href="/settings/security">Set up two-factor authentication</Link>
        </p>
      )}
      {retry && <Button onClick={retry}>Try again</Button>}
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
  const percent = share === undefined ? undefined : Math.round(share * 100);
  return (
    <div className="progress">
      <progress aria-label={label} max={100} value={percent} />
      <span aria-hidden="true">{percent === undefined ? label : `${label} ${percent}%`}</span>
    </div>
  );
}
