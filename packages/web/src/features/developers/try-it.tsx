import { type FormEvent, useId, useState } from "react";
import { number } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { useToken } from "./caller.tsx";
import { messages } from "./messages.ts";
import type { Document, Endpoint } from "./openapi.ts";
import { missing, type Received, send } from "./send.ts";
import type { Values } from "./snippets.ts";

type Props = {
  endpoint: Endpoint;
  values: Values;
  onChange: (values: Values) => void;
  document: Document;
};

/** Calls the operation with the values of a form, and shows the response. Calls that change data are confirmed first. */
export function TryIt({ endpoint, values, onChange, document }: Props) {
  const { method, path } = endpoint;
  const token = useToken();
  const [state, setState] = useState<{ received?: Received; failure?: unknown; busy?: boolean }>({});
  const [invalid, setInvalid] = useState<string>();
  const [confirming, setConfirming] = useState(false);
  const reads = method === "GET" || method === "HEAD";
  const call = () => send(endpoint, values, token, document);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const problem = problemOf(values);
    setInvalid(problem);
    if (problem !== undefined) return;
    if (!reads) return setConfirming(true);
    setState({ busy: true });
    await call().then(
      (received) => setState({ received }),
      (failure) => setState({ failure }),
    );
  }

  return (
    <>
      <form className="form" noValidate onSubmit={submit}>
        <Inputs values={values} onChange={onChange} />
        {!reads && <p className="hint">{messages.changes}</p>}
        <div role="alert">{invalid !== undefined && <p className="error">{invalid}</p>}</div>
        <div className="row">
          <Button type="submit" look={reads ? "primary" : "plain"} busy={state.busy}>
            {reads ? messages.send : messages.sendChanging}
          </Button>
        </div>
      </form>
      <Failure error={state.failure} />
      {state.received && <ReceivedView received={state.received} />}
      {confirming && (
        <ConfirmAction
          title={messages.confirmTitle(method, path)}
          confirmLabel={messages.send}
          action={call}
          onDone={(received) => {
            setConfirming(false);
            setState({ received });
          }}
          onClose={() => setConfirming(false)}
        >
          <p>{messages.confirm}</p>
        </ConfirmAction>
      )}
    </>
  );
}

/** Returns what has to be corrected before the request can be sent. */
function problemOf(values: Values): string | undefined {
  const names = missing(values);
  if (names.length > 0) return messages.valueMissing(names);
  try {
    if (values.body !== undefined) JSON.parse(values.body);
    return undefined;
  } catch {
    return messages.bodyInvalid;
  }
}

function Inputs({ values, onChange }: Pick<Props, "values" | "onChange">) {
  const id = useId();
  const { path, query, body, files } = values;
  return (
    <>
      <div className="parameters">
        {(["path", "query"] as const).flatMap((place) =>
          Object.entries(values[place]).map(([name, value]) => (
            <div className="field" key={`${place} ${name}`}>
              <label htmlFor={`${id}-${place}-${name}`}>
                <code>{name}</code>
              </label>
              <input
                id={`${id}-${place}-${name}`}
                autoComplete="off"
                spellCheck={false}
                value={value}
                onChange={({ target }) =>
                  onChange(
                    place === "path"
                      ? { ...values, path: { ...path, [name]: target.value } }
                      : { ...values, query: { ...query, [name]: target.value } },
                  )
                }
              />
            </div>
          )),
        )}
      </div>
      {body !== undefined && (
        <div className="field">
          <label htmlFor={`${id}-body`}>{messages.body}</label>
          <textarea
            id={`${id}-body`}
            className="json-body"
            spellCheck={false}
            rows={Math.min(16, body.split("\n").length + 1)}
            value={body}
            onChange={({ target }) => onChange({ ...values, body: target.value })}
          />
        </div>
      )}
      {Object.keys(files ?? {}).map((name) => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-file-${name}`}>{messages.file(name)}</label>
          <input
            id={`${id}-file-${name}`}
            type="file"
            onChange={({ target }) => onChange({ ...values, files: { ...files, [name]: target.files?.[0] } })}
          />
        </div>
      ))}
    </>
  );
}

/** More characters than these would make the page slow. */
const maxShown = 50_000;

function ReceivedView({
  received: { status, statusText, headers, body, durationMs },
}: {
  received: Received;
}) {
  const text = readable(body);
  return (
    <div className="received">
      <p role="status">
        <span className="badge" data-look={status < 400 ? "good" : "bad"}>
          {messages.result([status, statusText].filter(Boolean).join(" "), number(durationMs))}
        </span>
      </p>
      <details>
        <summary>{messages.responseHeaders(number(headers.length))}</summary>
        <dl className="shape">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {text === "" ? (
        <p className="hint">{messages.withoutBody}</p>
      ) : (
        <>
          <section
            className="code"
            aria-label={messages.responseBody}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the box scrolls, so the keyboard must reach it.
            tabIndex={0}
          >
            {text.slice(0, maxShown)}
          </section>
          {text.length > maxShown && <p className="hint">{messages.cut(number(maxShown))}</p>}
          <div className="row">
            <CopyButton text={text} label={messages.copyBody} />
          </div>
        </>
      )}
    </div>
  );
}

/** Indents JSON, and returns other text unchanged. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
