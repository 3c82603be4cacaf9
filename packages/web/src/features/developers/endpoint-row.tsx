import { memo, type ReactNode, useEffect, useRef, useState } from "react";
import { messages } from "./messages.ts";
import type { Endpoint } from "./openapi.ts";

/**
 * An operation or event, collapsed to one line. Renders its details while it is open. If `target` is set, because the URL leads
 * here, it opens, scrolls into view and takes the focus. `render` must be the same function in each rendering.
 */
export const EndpointRow = memo(function EndpointRow({
  endpoint,
  target,
  render,
}: {
  endpoint: Endpoint;
  target: boolean;
  render: (endpoint: Endpoint) => ReactNode;
}) {
  const { method, path, operation } = endpoint;
  const [open, setOpen] = useState(target);
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!target) return;
    setOpen(true);
    // After the heading of the page took the focus.
    const frame = requestAnimationFrame(() => {
      summary.current?.scrollIntoView();
      summary.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [target]);

  function toggle(next: boolean): void {
    setOpen(next);
    // So that the URL of the page leads to what was opened last.
    if (next) history.replaceState(history.state, "", `#${operation.operationId}`);
  }

  return (
    <details
      className="endpoint"
      id={operation.operationId}
      open={open}
      onToggle={(event) => event.currentTarget.open !== open && toggle(event.currentTarget.open)}
    >
      <summary ref={summary}>
        <span className="method" data-method={method}>
          {method}
        </span>
        <code>{path}</code>
        <span className="hint">{method === "event" ? "" : operation.summary}</span>
        {operation.deprecated && <span className="badge">{messages.deprecated}</span>}
      </summary>
      {open && <div className="endpoint-detail">{render(endpoint)}</div>}
    </details>
  );
});
