import { useState } from "react";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { messages } from "./messages.ts";
import {
  type Document,
  type Endpoint,
  type Header,
  type Operation,
  parametersIn,
  type Response,
  requiresAuthentication,
  resolved,
} from "./openapi.ts";
import { example } from "./schema.ts";
import { Code, FieldRow, JsonExample, SchemaView } from "./schema-view.tsx";
import { clientCode, curl, exampleValues, type Values } from "./snippets.ts";
import { TryIt } from "./try-it.tsx";

/** Shows what an operation takes and returns, examples, and a form that calls it. */
export function OperationDetail({ endpoint, document }: { endpoint: Endpoint; document: Document }) {
  const { operation } = endpoint;
  const [values, setValues] = useState<Values>(() => exampleValues(endpoint, document));
  return (
    <>
      <Description operation={operation} />
      <p className="hint">{requiresAuthentication(operation) ? messages.authenticated : messages.public}</p>
      <div className="endpoint-columns">
        <div>
          <Parameters operation={operation} document={document} />
          <RequestBody operation={operation} document={document} />
          <h4>{messages.responses}</h4>
          {Object.entries(operation.responses).map(([status, response]) => (
            <ResponseDetail
              key={status}
              status={status}
              response={resolved<Response>(response, document)}
              document={document}
            />
          ))}
        </div>
        <div>
          <h4>{messages.examples}</h4>
          <Snippets endpoint={endpoint} values={values} document={document} />
          <h4>{messages.tryIt}</h4>
          <TryIt endpoint={endpoint} values={values} onChange={setValues} document={document} />
        </div>
      </div>
    </>
  );
}

/** The paragraphs of the description, and a button that copies a link to the operation or event. */
export function Description({ operation: { operationId, description = "" } }: { operation: Operation }) {
  return (
    <>
      {description.split("\n\n").map((paragraph) => (
        <p key={paragraph}>
          <Prose text={paragraph} />
        </p>
      ))}
      <div className="row">
        <code className="hint">{operationId}</code>
        <CopyButton
          text={`${location.origin}${location.pathname}#${operationId}`}
          label={messages.copyLink}
        />
      </div>
    </>
  );
}

/** The parameters of an operation, in the path, the query and headers. */
export function Parameters({ operation, document }: { operation: Operation; document: Document }) {
  const parameters = parametersIn(operation, ["path", "query", "header"], document);
  if (parameters.length === 0) return null;
  return (
    <>
      <h4>{messages.parameters}</h4>
      <dl className="shape">
        {parameters.map(({ name, in: place, required = false, description, schema = {} }) => (
          <FieldRow
            key={`${place} ${name}`}
            field={{ name, schema, required, description }}
            place={place}
            document={document}
          />
        ))}
      </dl>
    </>
  );
}

function RequestBody({ operation, document }: { operation: Operation; document: Document }) {
  return Object.entries(operation.requestBody?.content ?? {}).map(([type, content]) => (
    <div key={type}>
      <h4>{messages.requestBody(type)}</h4>
      {content.schema && <SchemaView schema={content.schema} document={document} />}
      {content.schema && type === "application/json" && (
        <JsonExample value={content.example ?? example(content.schema, document)} />
      )}
    </div>
  ));
}

/** A response. The body of an error is the same everywhere, so only its codes are shown. */
function ResponseDetail({
  status,
  response: { description, content = {}, headers = {} },
  document,
}: {
  status: string;
  response: Response;
  document: Document;
}) {
  const isSuccess = status.startsWith("2");
  const json = isSuccess ? content["application/json"] : undefined;
  const others = Object.keys(content).filter((type) => isSuccess && type !== "application/json");
  return (
    <div className="response">
      <p>
        <strong>{status}</strong> <Prose text={description} />
      </p>
      {isSuccess && Object.keys(content).length === 0 && <p className="hint">{messages.withoutBody}</p>}
      {json?.schema && <SchemaView schema={json.schema} document={document} />}
      {others.length > 0 && (
        <p className="hint">
          <code>{others.join(", ")}</code>
        </p>
      )}
      {isSuccess && Object.keys(headers).length > 0 && (
        <details>
          <summary>{messages.headers}</summary>
          <dl className="shape">
            {Object.entries(headers).map(([name, header]) => {
              const { description, schema = {} } = resolved<Header>(header, document);
              return (
                <FieldRow
                  key={name}
                  field={{ name, schema, required: false, description }}
                  document={document}
                />
              );
            })}
          </dl>
        </details>
      )}
      {json?.schema && <JsonExample value={json.example ?? example(json.schema, document)} />}
    </div>
  );
}

function Snippets({
  endpoint,
  values,
  document,
}: {
  endpoint: Endpoint;
  values: Values;
  document: Document;
}) {
  return (
    <Tabs
      label={messages.examples}
      tabs={[
        {
          id: "curl",
          label: messages.curl,
          content: () => (
            <Code text={curl(endpoint, values, location.origin)} copyLabel={messages.copyCurl} />
          ),
        },
        {
          id: "client",
          label: messages.client,
          content: () => (
            <Code
              text={clientCode(endpoint, values, document, location.origin)}
              copyLabel={messages.copyClient}
            />
          ),
        },
      ]}
    />
  );
}
