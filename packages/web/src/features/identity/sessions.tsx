import type { Session } from "@svc/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { svc } from "../../base/api.ts";
import { country, dayTime } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";

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
      <h2 id="sessions">Sessions</h2>
      <Loaded query={query}>
        {({ data }) => (
          <ul className="items">
            {data.map((session) => (
              <li key={session.id}>
                <Description session={session} />
                {!session.current && (
                  <Button
                    onClick={() => setEnding(session)}
                    aria-label={`End the session on ${session.device} since ${dayTime(session.createdAt)}`}
                  >
                    End session…
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {others.length > 0 && <Button onClick={() => setEnding("others")}>End all other sessions…</Button>}
      {ending === "others" ? (
        <ConfirmAction
          title="End all other sessions?"
          confirmLabel="End sessions"
          action={() => svc.delete("/user/sessions")}
          onDone={() => void ended("All other sessions ended.")}
          onClose={() => setEnding(undefined)}
        >
          <p>You will be signed out everywhere except in this browser.</p>
        </ConfirmAction>
      ) : (
        ending && (
          <ConfirmAction
            title="End this session?"
            confirmLabel="End session"
            action={() => svc.delete("/user/sessions/{id}", { path: { id: ending.id } })}
            onDone={() => void ended("Session ended.")}
            onClose={() => setEnding(undefined)}
          >
            <p>
              {ending.device}, {location(ending)}. This device will have to sign in again.
            </p>
          </ConfirmAction>
        )
      )}
    </section>
  );
}

function Description({ session }: { session: Session }) {
  return (
    <div>
      <strong>{session.device}</strong> {session.current && <span className="badge">this session</span>}
      <p className="hint">
        {location(session)} · since {dayTime(session.createdAt)} · last used {dayTime(session.lastSeenAt)}
      </p>
    </div>
  );
}

function location({ ip, country: code }: { ip: string; country: string | null }): string {
  return [code && country(code), ip].filter(Boolean).join(", ");
}
