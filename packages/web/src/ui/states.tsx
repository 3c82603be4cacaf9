import type { ReactNode } from "react";

import { Link } from "wouter";
import { Problem, problemMessage } from "../base/api.ts";
import { Button } from "./button.tsx";

/** Something is being fetched. */
export function Loading({ label = "Loading…" }: { label?: string }) {
  return (
    <div role="status" className="state">
      <span className="spinner" aria-hidden="true" />
      {label}
    </div>
  );
}

/** There is nothing here yet, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children}
    </div>
  );
}

/** It could not be fetched: why, and the way to try again. */
export function ErrorState({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const problem = error instanceof Problem ? error : undefined;
  return (
    <div role="alert" className="state">
      <p className="state-title">
        {problem ? problemMessage(problem) : "This page does not work. Load it again."}
      </p>
      {problem?.requestId && <p className="hint">Request {problem.requestId}</p>}
      {problem?.code === "ip_not_allowed" && (
        <p>
          Your account is reached from anywhere. Admins can{" "}
          <Link href="/emergency-bypass">get in by emergency access</Link>.
        </p>
      )}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** The three states of a query, and its data once it is there. `empty` is shown instead when the data says so. */
export function Loaded<Data>({
  query,
  isEmpty,
  empty,
  children,
}: {
  /** Of useQuery or useInfiniteQuery. */
  query: { data: Data | undefined; isError: boolean; error: unknown; refetch: () => unknown };
  isEmpty?: (data: Data) => boolean;
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  // What was fetched before stays when a later fetch fails.
  if (query.data !== undefined) return isEmpty?.(query.data) ? empty : children(query.data);
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />;
  return <Loading />;
}

/** How much of something is done: 0 to 1; undefined while that cannot be told. */
export function Progress({ label, share }: { label: string; share: number | undefined }) {
  const percent = share === undefined ? undefined : Math.round(share * 100);
  return (
    <div className="progress">
      <progress aria-label={label} max={100} value={percent} />
      <span aria-hidden="true">{percent === undefined ? label : `${label} ${percent} %`}</span>
    </div>
  );
}
