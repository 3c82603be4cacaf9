import { useState } from "react";
import { Prose } from "../../ui/prose.tsx";
import {
  type Endpoint as Described,
  type Document,
  example,
  fields,
  kind,
  type Operation,
  objects,
  type Parameter,
  type Response,
  resolved,
  type Schema,
} from "./openapi.ts";

/** An endpoint, collapsed to one line. Renders its details when it is opened. */
export function Endpoint({ endpoint, document }: { endpoint: Described; document: Document }) {
  const { method, path, operation } = endpoint;
  const [open, setOpen] = useState(false);
  return (
    <details
      className="endpoint"
      id={operation.operationId}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <span className="method" data-method={method}>
          {method}
        </span>
        <code>{path}</code>
        <span className="hint">
          {operation.summary}
          {operation.deprecated && " (deprecated)"}
        </span>
      </summary>
      {open && <Detail endpoint={endpoint} document={document} />}
    </details>
  );
}

function Detail({
  endpoint: { method, path, operation },
  document,
}: {
  endpoint: Described;
  document: Document;
}) {
  const { description, parameters = [], requestBody, responses } = operation;
  return (
    <div className="endpoint-detail">
      {description && (
        <p>
          <Prose text={description} />
        </p>
      )}
      <p className="hint">{authentication(operation)}</p>
      {parameters.length > 0 && (
        <Parameters
          parameters={parameters.map((one) => resolved<Parameter>(one, document))}
          document={document}
        />
      )}
      {Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => (
        <div key={type}>
          <h4>Request body ({type})</h4>
          {schema && <Shape schema={schema} document={document} />}
          {schema && type === "application/json" && <Example schema={schema} document={document} />}
        </div>
      ))}
      <h4>Responses</h4>
      {Object.entries(responses).map(([status, response]) => (
        <ResponseDetail
          key={status}
          status={status}
          response={resolved<Response>(response, document)}
          document={document}
        />
      ))}
      {path.startsWith("/") && (
        <>
          <h4>curl example</h4>
          <pre className="code">{curl(method, path, operation, document)}</pre>
        </>
      )}
    </div>
  );
}

function authentication(operation: Operation): string {
  return requiresAuthentication(operation)
    ? "Requires authentication: Authorization: Bearer …, or this site’s session cookie."
    : "No authentication required.";
}

/** Whether the endpoint rejects requests without authentication. An empty alternative makes authentication optional. */
function requiresAuthentication({ security = [] }: Operation): boolean {
  return security.length > 0 && security.every((alternative) => Object.keys(alternative).length > 0);
}

function Parameters({ parameters, document }: { parameters: readonly Parameter[]; document: Document }) {
  return (
    <>
      <h4>Parameters</h4>
      <dl className="shape">
        {parameters.map(({ name, in: location, required, description, schema = {} }) => (
          <div key={`${location} ${name}`}>
            <dt>
              <code>{name}</code> <span className="hint">{location}</span>
              {required && <span className="badge">required</span>}
            </dt>
            <dd>
              {kind(schema, document)}
              {description && (
                <div className="hint">
                  <Prose text={description} />
                </div>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function ResponseDetail({
  status,
  response: { description, content = {} },
  document,
}: {
  status: string;
  response: Response;
  document: Document;
}) {
  const schema = status.startsWith("2") ? content["application/json"]?.schema : undefined;
  return (
    <div className="response">
      <p>
        <strong>{status}</strong> <Prose text={description} />
      </p>
      {schema && <Shape schema={schema} document={document} />}
      {schema && <Example schema={schema} document={document} />}
    </div>
  );
}

/** Lists the fields of a schema, with nested fields below each. */
function Shape({ schema, document }: { schema: Schema; document: Document }) {
  return objects(schema, document).map((one, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the schemas have no names, and their order never changes.
    <dl className="shape" key={at}>
      {fields(one, document).map(([name, field, required]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            {!required && <span className="hint"> optional</span>}
          </dt>
          <dd>
            {kind(field, document)}
            {field.description && (
              <div className="hint">
                <Prose text={field.description} />
              </div>
            )}
            {objects(field, document).length > 0 && <Shape schema={field} document={document} />}
          </dd>
        </div>
      ))}
    </dl>
  ));
}

function Example({ schema, document }: { schema: Schema; document: Document }) {
  return (
    <details>
      <summary>Example</summary>
      <pre className="code">{JSON.stringify(example(schema, document), null, 2)}</pre>
    </details>
  );
}

function curl(method: string, path: string, operation: Operation, document: Document): string {
  const { requestBody } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  const form = requestBody?.content["multipart/form-data"]?.schema;
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${location.origin}${path}'`,
    requiresAuthentication(operation) && `-H "authorization: Bearer $token"`,
    body && `-H 'content-type: application/json'`,
    body && `-d '${JSON.stringify(example(body, document))}'`,
    ...(form ? fields(form, document).map(([name]) => `-F ${name}=@file`) : []),
  ]
    .filter(Boolean)
    .join(" \\\n  ");
}
