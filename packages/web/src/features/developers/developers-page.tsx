import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { svc } from "../../base/api.ts";
import { Page } from "../../ui/page.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Endpoint } from "./endpoint.tsx";
import { type Document, groups, matching } from "./openapi.ts";
import "./developers.css";

/** The API documentation, rendered from the OpenAPI document. */
export default function Developers() {
  const query = useQuery({
    queryKey: ["openapi"],
    // The document describes everything but itself.
    queryFn: async ({ signal }) => (await svc.get("/openapi.json", { signal })) as Document,
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
      {found.map(({ name, description, endpoints }) => (
        <section key={name} aria-labelledby={headingId(name)}>
          <h2 id={headingId(name)}>{name}</h2>
          <p className="hint">{description}</p>
          {endpoints.map((endpoint) => (
            <Endpoint key={`${endpoint.method} ${endpoint.path}`} endpoint={endpoint} document={document} />
          ))}
        </section>
      ))}
    </>
  );
}

function headingId(name: string): string {
  return `group-${name.toLowerCase().replaceAll(" ", "-")}`;
}
