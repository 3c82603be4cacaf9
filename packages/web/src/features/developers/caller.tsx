import { createContext, useContext, useId, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { messages } from "./messages.ts";

/** The identity of "Try it": the session, or an API token. */
export type Caller = { kind: "session" | "token"; token: string };

export const CallerContext = createContext<Caller>({ kind: "session", token: "" });

/** Returns the token to send with requests. Empty for the session. */
export function useToken(): string {
  const { kind, token } = useContext(CallerContext);
  return kind === "token" ? token.trim() : "";
}

/** Chooses between the session and an API token. `demoToken` is set if the local server offers one. */
export function CallerCard({
  caller,
  onChange,
  demoToken,
}: {
  caller: Caller;
  onChange: (caller: Caller) => void;
  demoToken: string | null;
}) {
  const id = useId();
  const [usesDemo, setUsesDemo] = useState(false);
  const change = (next: Caller) => {
    setUsesDemo(next.token === demoToken && next.kind === "token");
    onChange(next);
  };
  return (
    <div className="caller">
      <div className="field">
        <label htmlFor={`${id}-kind`}>{messages.caller}</label>
        <select
          id={`${id}-kind`}
          aria-describedby={`${id}-hint`}
          value={caller.kind}
          onChange={({ target }) => change({ ...caller, kind: target.value as Caller["kind"] })}
        >
          <option value="session">{messages.session}</option>
          <option value="token">{messages.token}</option>
        </select>
      </div>
      {caller.kind === "token" && (
        <div className="field">
          <label htmlFor={`${id}-token`}>{messages.tokenLabel}</label>
          <input
            id={`${id}-token`}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="svc_pat_…"
            value={caller.token}
            onChange={({ target }) => change({ kind: "token", token: target.value })}
          />
        </div>
      )}
      {demoToken && !usesDemo && (
        <Button onClick={() => change({ kind: "token", token: demoToken })}>{messages.demoToken}</Button>
      )}
      <p className="hint" role="status" id={`${id}-hint`}>
        {usesDemo ? messages.demoTokenUsed : messages.callerHint}
      </p>
    </div>
  );
}
