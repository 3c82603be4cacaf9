import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { get } from "../../base/api.ts";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Endpoint } from "./endpoint.tsx";
import { type Document, groups, matching } from "./openapi.ts";
import "./developers.css";

/** The API documentation, rendered from the OpenAPI document. */
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
  const [search, setSearch] = useState("");
  const all = useMemo(() => groups(document), [document]);
  const found = matching(all, useDeferredValue(search));
  const count = found.reduce((sum, { endpoints }) => sum + endpoints.length, 0);
  return (
    <>
      <p>
        {document.info.description} Version {document.info.version}. Also available as an{" "}
        <a href="/openapi.json">OpenAPI document</a>.
      </p>
      <div className="field">
        <label htmlFor="endpoint-search">Search by path, method or text</label>
        <input
          id="endpoint-search"
          type="search"
          placeholder="post webhooks"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      <p role="status" className="hint">
        {count} {count === 1 ? "endpoint" : "endpoints"}
      </p>
      {count === 0 && <Empty title="No endpoints match your search" />}
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
