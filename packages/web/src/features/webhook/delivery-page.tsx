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
import { messages } from "./messages.ts";

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
      toast(messages.delivery.queued);
      await client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  return (
    <Page
      title={messages.delivery.title}
      actions={
        query.data && (
          <Button busy={retry.isPending} onClick={() => retry.mutate()}>
            {messages.delivery.retry}
          </Button>
        )
      }
    >
      <p>
        <Link href={`/webhooks/${id}`}>{messages.delivery.back}</Link>
      </p>
      <Failure error={retry.error} />
      <Loaded query={query}>{(delivery) => <Detail delivery={delivery} />}</Loaded>
    </Page>
  );
}

function Detail({ delivery }: { delivery: DeliveryWithAttempts }) {
  return (
    <Panels>
      <section aria-label={messages.delivery.title}>
        <dl className="facts">
          <dt>{messages.delivery.event}</dt>
          <dd>{delivery.type}</dd>
          <dt>{messages.delivery.status}</dt>
          <dd>
            <DeliveryState {...delivery} /> {deliveryTime(delivery)}
          </dd>
          <dt>{messages.delivery.created}</dt>
          <dd>{dayTime(delivery.createdAt)}</dd>
          <dt>{messages.delivery.id}</dt>
          <dd>
            <code>{delivery.eventId}</code>
          </dd>
        </dl>
      </section>
      <section aria-labelledby="body">
        <h2 id="body">{messages.delivery.request}</h2>
        <Code label={messages.delivery.requestBody} text={indented(delivery.requestBody)} />
      </section>
      <section aria-labelledby="attempts">
        <h2 id="attempts">{messages.delivery.attempts}</h2>
        {delivery.attempts.length === 0 ? (
          <Empty title={messages.delivery.noAttempts} />
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
        {messages.delivery.attempt(number(at))}
        <Status look={error === null ? "good" : "bad"}>
          {responseStatus ?? messages.delivery.noResponse}
        </Status>
        <span className="hint">
          {durationMs === null
            ? dayTime(attempt.at)
            : messages.delivery.took(dayTime(attempt.at), number(durationMs))}
        </span>
      </h3>
      {error !== null && <p>{error}</p>}
      <details>
        <summary>{messages.delivery.requestHeaders}</summary>
        <Code label={messages.delivery.requestHeadersOf(number(at))} text={lines(attempt.requestHeaders)} />
      </details>
      {responseHeaders && (
        <details>
          <summary>{messages.delivery.responseHeaders}</summary>
          <Code label={messages.delivery.responseHeadersOf(number(at))} text={lines(responseHeaders)} />
        </details>
      )}
      {responseBody !== null && (
        <details>
          <summary>{messages.delivery.responseBody}</summary>
          {responseBody === "" ? (
            <p className="hint">{messages.delivery.emptyBody}</p>
          ) : (
            <Code label={messages.delivery.responseBodyOf(number(at))} text={responseBody} />
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
