import type { Session } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { country, dayTime } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { securityMessages } from "./settings-messages.ts";

const messages = securityMessages.sessions;

/** Lists the active sessions of the account, and ends one of them or all others. */
export function Sessions() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => svc.get("/user/sessions", { signal }),
  });
  const [ending, setEnding] = useState<Session | "others">();
  const others = query.data?.data.filter(({ current }) => !current) ?? [];
  const ended = async (message: string) => {
    setEnding(undefined);
    toast(message);
    await client.invalidateQueries({ queryKey: ["sessions"] });
  };
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{messages.title}</h2>
      <Loaded query={query}>
        {({ data }) => (
          <ul className="items">
            {data.map((session) => (
              <li key={session.id}>
                <Description session={session} />
                {!session.current && (
                  <Button
                    onClick={() => setEnding(session)}
                    aria-label={messages.endOf(session.device, dayTime(session.createdAt))}
                  >
                    {messages.end}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {others.length > 0 && <Button onClick={() => setEnding("others")}>{messages.endOthers}</Button>}
      {ending === "others" ? (
        <ConfirmAction
          title={messages.endOthersQuestion}
          confirmLabel={messages.endOthersConfirm}
          action={() => svc.delete("/user/sessions")}
          onDone={() => void ended(messages.othersEnded)}
          onClose={() => setEnding(undefined)}
        >
          <p>{messages.endOthersWarning}</p>
        </ConfirmAction>
      ) : (
        ending && (
          <ConfirmAction
            title={messages.endQuestion}
            confirmLabel={messages.endConfirm}
            action={() => svc.delete("/user/sessions/{id}", { path: { id: ending.id } })}
            onDone={() => void ended(messages.ended)}
            onClose={() => setEnding(undefined)}
          >
            <p>{messages.endWarning(ending.device, location(ending))}</p>
          </ConfirmAction>
        )
      )}
    </section>
  );
}

function Description({ session }: { session: Session }) {
  return (
    <div>
      <strong>{session.device}</strong> {session.current && <span className="badge">{messages.current}</span>}
      <p className="hint">
        {messages.details(location(session), dayTime(session.createdAt), dayTime(session.lastSeenAt))}
      </p>
    </div>
  );
}

function location({ ip, country: code }: { ip: string; country: string | null }): string {
  return [code && country(code), ip].filter(Boolean).join(", ");
}
