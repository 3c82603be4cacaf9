import type { DeliveryAttempt, DeliveryWithAttempts } from "@svc/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { svc } from "../../base/api.ts";
import { refetchMs } from "../../base/avatar.ts";
import { dayTime, number } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Page } from "../../ui/page.tsx";
import { Panels } from "../../ui/panels.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Status } from "../../ui/status.tsx";
import { toast } from "../../ui/toast.tsx";
import { DeliveryState, deliveryTime, refetchDeliveriesMs } from "./delivery-state.tsx";
import "./webhooks.css";

/** A delivery of a webhook: the request body, and each attempt with its response. */
export default function DeliveryPage() {
  const { id = "", deliveryId = "" } = useParams();
  const path = { id, deliveryId };
  const query = useQuery({
    queryKey: ["webhooks", "delivery", id, deliveryId],
    queryFn: ({ signal }) => svc.get("/api/v1/webhooks/{id}/deliveries/{deliveryId}", { path, signal }),
    refetchInterval: ({ state }) => refetchDeliveriesMs(state.data ? [state.data] : [], refetchMs),
  });
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => svc.post("/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry", { path }),
    onSuccess: async () => {
      toast("Delivery queued again.");
      await client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  return (
    <Page
      title="Delivery"
      actions={
        query.data && (
          <Button busy={retry.isPending} onClick={() => retry.mutate()}>
            Retry delivery
          </Button>
        )
      }
    >
      <p>
        <Link href={`/webhooks/${id}`}>Back to the webhook</Link>
      </p>
      <Failure error={retry.error} />
      <Loaded query={query}>{(delivery) => <Detail delivery={delivery} />}</Loaded>
    </Page>
  );
}

function Detail({ delivery }: { delivery: DeliveryWithAttempts }) {
  return (
    <Panels>
      <section aria-label="Delivery">
        <dl className="facts">
          <dt>Event</dt>
          <dd>{delivery.type}</dd>
          <dt>Status</dt>
          <dd>
            <DeliveryState {...delivery} /> {deliveryTime(delivery)}
          </dd>
          <dt>Created</dt>
          <dd>{dayTime(delivery.createdAt)}</dd>
          <dt>webhook-id</dt>
          <dd>
            <code>{delivery.eventId}</code>
          </dd>
        </dl>
      </section>
      <section aria-labelledby="body">
        <h2 id="body">Request</h2>
        <Code label="Request body" text={indented(delivery.requestBody)} />
      </section>
      <section aria-labelledby="attempts">
        <h2 id="attempts">Attempts</h2>
        {delivery.attempts.length === 0 ? (
          <Empty title="No attempts yet" />
        ) : (
          [...delivery.attempts]
            .reverse()
            .map((attempt) => <AttemptDetail key={attempt.number} attempt={attempt} />)
        )}
      </section>
    </Panels>
  );
}

function AttemptDetail({ attempt }: { attempt: DeliveryAttempt }) {
  const { number: at, durationMs, responseStatus, responseHeaders, responseBody, error } = attempt;
  return (
    <article className="attempt" aria-labelledby={`attempt-${at}`}>
      <h3 id={`attempt-${at}`}>
        Attempt {at}
        <Status look={error === null ? "good" : "bad"}>{responseStatus ?? "No response"}</Status>
        <span className="hint">
          {dayTime(attempt.at)}
          {durationMs !== null && `, ${number(durationMs)} ms`}
        </span>
      </h3>
      {error !== null && <p>{error}</p>}
      <details>
        <summary>Request headers</summary>
        <Code label={`Request headers of attempt ${at}`} text={lines(attempt.requestHeaders)} />
      </details>
      {responseHeaders && (
        <details>
          <summary>Response headers</summary>
          <Code label={`Response headers of attempt ${at}`} text={lines(responseHeaders)} />
        </details>
      )}
      {responseBody !== null && (
        <details>
          <summary>Response body</summary>
          {responseBody === "" ? (
            <p className="hint">The response body is empty.</p>
          ) : (
            <Code label={`Response body of attempt ${at}`} text={responseBody} />
          )}
        </details>
      )}
    </article>
  );
}

/** Shows untrusted text as plain text. */
function Code({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard (WCAG 2.1.1).
    <section aria-label={label} tabIndex={0} className="code">
      {text}
    </section>
  );
}

function lines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
