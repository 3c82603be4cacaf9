import { useState } from "react";
import { number } from "../../base/format.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Prose } from "../../ui/prose.tsx";
import { messages } from "./messages.ts";
import type { Document, Schema } from "./openapi.ts";
import { type Field, fields, kind, objects } from "./schema.ts";

/** Lists the fields of a schema, with nested fields below each. Shows the type of a schema without fields. */
export function SchemaView({ schema, document }: { schema: Schema; document: Document }) {
  const alternatives = objects(schema, document);
  return (
    <>
      <p className="hint">
        <code>{kind(schema, document)}</code>
      </p>
      {alternatives.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no names, and their order never changes.
        <div key={at}>
          {alternatives.length > 1 && (
            <p className="hint">{messages.alternative(number(at + 1), number(alternatives.length))}</p>
          )}
          <dl className="shape">
            {fields(one, document).map((field) => (
              <FieldRow key={field.name} field={field} document={document} />
            ))}
          </dl>
        </div>
      ))}
    </>
  );
}

/** A field or parameter with its type and description. `place` is where a parameter is sent. */
export function FieldRow({ field, place, document }: { field: Field; place?: string; document: Document }) {
  const { name, schema, required, description } = field;
  const nested = objects(schema, document).length > 0;
  return (
    <div>
      <dt>
        <code>{name}</code>
        <span className="hint">
          {[place, required ? messages.required : messages.optional].filter(Boolean).join(", ")}
        </span>
      </dt>
      <dd>
        <code className="kind">{kind(schema, document)}</code>
        {description && (
          <p className="hint">
            <Prose text={description} />
          </p>
        )}
        {nested && <Nested name={name} schema={schema} document={document} />}
      </dd>
    </div>
  );
}

/** The fields of a field, which are rendered when they are opened. */
function Nested({ name, schema, document }: { name: string; schema: Schema; document: Document }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{messages.fieldsOf(name)}</summary>
      {open && <SchemaView schema={schema} document={document} />}
    </details>
  );
}

/** An example value as JSON, with a button that copies it. */
export function JsonExample({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2);
  return (
    <details className="example">
      <summary>{messages.example}</summary>
      <Code text={text} copyLabel={messages.copyExample} />
    </details>
  );
}

/** Text in a fixed-width font, with a button that copies it. */
export function Code({ text, copyLabel }: { text: string; copyLabel: string }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the box scrolls, so the keyboard must reach it. */}
      <pre className="code" tabIndex={0}>
        {text}
      </pre>
      <div className="row">
        <CopyButton text={text} label={copyLabel} />
      </div>
    </>
  );
}
