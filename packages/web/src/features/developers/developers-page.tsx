import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { svc } from "../../base/api.ts";
import { number } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { ApiTokens } from "../identity/api-tokens.tsx";
import { type Caller, CallerCard, CallerContext } from "./caller.tsx";
import { EndpointRow } from "./endpoint-row.tsx";
import { useFragment } from "./fragment.ts";
import { messages } from "./messages.ts";
import { type Document, type Endpoint, type Group, groups, matching } from "./openapi.ts";
import { OperationDetail } from "./operation.tsx";
import { WebhookEvent } from "./webhook-event.tsx";
import "./developers.css";

/** The API documentation, rendered from the OpenAPI document, with forms that call the API. */
export default function Developers() {
  const query = useQuery({ queryKey: ["openapi"], queryFn: load, staleTime: Number.POSITIVE_INFINITY });
  return (
    <Page
      title={messages.title}
      actions={
        <>
          <a className="button" href="#api-tokens">
            {messages.tokensLink}
          </a>
          <a className="button" href="/openapi.json">
            {messages.documentLink}
          </a>
        </>
      }
    >
      <Loaded query={query}>{(loaded) => <Documentation {...loaded} />}</Loaded>
    </Page>
  );
}

/** Loads the document. The local server sends a token of a demo user with it; its deployed counterpart sends none. */
async function load({ signal }: { signal: AbortSignal }) {
  const headers = { "cache-control": "no-cache" };
  const answer = await svc.send("get", "/openapi.json", { signal, headers });
  // The document describes everything but itself.
  return { document: answer.data as Document, demoToken: answer.headers.get("x-demo-token") };
}

function Documentation({ document, demoToken }: { document: Document; demoToken: string | null }) {
  const [caller, setCaller] = useState<Caller>({ kind: "session", token: "" });
  const { info } = document;
  return (
    <CallerContext value={caller}>
      <p className="introduction">
        {info.description} {messages.version(info.version)}
      </p>
      <CallerCard caller={caller} onChange={setCaller} demoToken={demoToken} />
      <Operations document={document} />
      <div id="api-tokens" className="tokens">
        <ApiTokens />
      </div>
    </CallerContext>
  );
}

function Operations({ document }: { document: Document }) {
  const [search, setSearch] = useState("");
  const fragment = useFragment();
  const all = useMemo(() => groups(document), [document]);
  const deferred = useDeferredValue(search);
  const found = useMemo(() => matching(all, deferred), [all, deferred]);
  const count = found.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  const render = useCallback(
    (endpoint: Endpoint): ReactNode =>
      endpoint.method === "event" ? (
        <WebhookEvent endpoint={endpoint} document={document} />
      ) : (
        <OperationDetail endpoint={endpoint} document={document} />
      ),
    [document],
  );
  // A link to an operation also works while the search leaves it out.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new fragment.
  useEffect(() => setSearch(""), [fragment]);
  return (
    <div className="operations">
      <div>
        <search className="field">
          <label htmlFor="operation-search">{messages.search}</label>
          <input
            id="operation-search"
            type="search"
            aria-describedby="operation-search-hint"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
          <p className="hint" id="operation-search-hint">
            {messages.searchHint}
          </p>
        </search>
        <p role="status" className="hint">
          {messages.count(count)}
        </p>
        {count === 0 && (
          <Empty title={messages.noMatch}>
            <Button onClick={() => setSearch("")}>{messages.clearSearch}</Button>
          </Empty>
        )}
        {found.map(({ name, description, endpoints }) => (
          <div key={name} className="operation-group">
            <h2 id={headingId(name)}>{name}</h2>
            <p className="hint">{description}</p>
            <div className="endpoints">
              {endpoints.map((endpoint) => (
                <EndpointRow
                  key={endpoint.operation.operationId}
                  endpoint={endpoint}
                  target={endpoint.operation.operationId === fragment}
                  render={render}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
      <Contents found={found} />
    </div>
  );
}

/** Links to the groups that the search found. */
function Contents({ found }: { found: readonly Group[] }) {
  return (
    <nav className="contents" aria-label={messages.contents}>
      <ul>
        {found.map(({ name, endpoints }) => (
          <li key={name}>
            <a href={`#${headingId(name)}`}>
              {name} <span>{number(endpoints.length)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function headingId(name: string): string {
  return `group-${name.toLowerCase().replaceAll(" ", "-")}`;
}
