import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { get } from "../../base/api.ts";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { type Document, groups, matching } from "./document.ts";
import { Endpoint } from "./endpoint.tsx";
import "./developers.css";

/** The documentation of the API, from the document that describes it to programs. */
export default function Developers() {
  const query = useQuery({
    queryKey: ["openapi"],
    queryFn: ({ signal }) => get<Document>("/openapi.json", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Page title="API documentation">
      <Loaded query={query}>{(document) => <Endpoints document={document} />}</Loaded>
    </Page>
  );
}

function Endpoints({ document }: { document: Document }) {
  const [wanted, setWanted] = useState("");
  const all = useMemo(() => groups(document), [document]);
  const found = matching(all, useDeferredValue(wanted));
  const count = found.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  return (
    <>
      <p>
        {document.info.description} Release {document.info.version}; for programs as{" "}
        <a href="/openapi.json">OpenAPI document</a>.
      </p>
      <div className="field">
        <label htmlFor="endpoint-search">Find by path, method or words</label>
        <input
          id="endpoint-search"
          type="search"
          placeholder="post webhooks"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
      </div>
      <p role="status" className="hint">
        {count} endpoints
      </p>
      {count === 0 && <Empty title="No endpoint fits what you typed" />}
      {found.map(({ name, endpoints }) => (
        <section key={name} aria-labelledby={`group-${name}`}>
          <h2 id={`group-${name}`}>{name}</h2>
          {endpoints.map((endpoint) => (
            <Endpoint key={`${endpoint.method} ${endpoint.path}`} endpoint={endpoint} document={document} />
          ))}
        </section>
      ))}
    </>
  );
}
