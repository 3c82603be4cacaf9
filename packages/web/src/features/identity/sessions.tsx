import type { View as Device } from "@svc/core/identity/devices/device-list";
import type { View as Session } from "@svc/core/identity/sessions/session-list";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, patch, remove } from "../../base/api.ts";
import { country, dayTime } from "../../base/format.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, TextField, useForm } from "../../ui/form.tsx";
import { Empty, Loaded } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { leave } from "./session.ts";

/** Who is signed in to this account now: to be ended one by one, or all but this one. */
export function Sessions() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => get<{ data: Session[] }>("/user/sessions", { signal }),
  });
  const [ending, setEnding] = useState<Session | "others">();
  const others = query.data?.data.filter(({ current }) => !current) ?? [];
  const ended = async (words: string) => {
    setEnding(undefined);
    toast(words);
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
                <div>
                  <strong>{session.device}</strong>{" "}
                  {session.current && <span className="badge">this one</span>}
                  <p className="hint">
                    {place(session)} · since {dayTime(session.createdAt)} · last used{" "}
                    {dayTime(session.lastSeenAt)}
                  </p>
                </div>
                {!session.current && (
                  <Button
                    onClick={() => setEnding(session)}
                    aria-label={`End the session on ${session.device} since ${dayTime(session.createdAt)}`}
                  >
                    End…
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {others.length > 0 && <Button onClick={() => setEnding("others")}>End all others…</Button>}
      {ending === "others" ? (
        <ConfirmAction
          title="End all other sessions?"
          confirmLabel="End them"
          work={() => remove("/user/sessions")}
          onDone={() => void ended("All other sessions are over.")}
          onClose={() => setEnding(undefined)}
        >
          <p>
            Wherever else you are signed in, you will have to sign in again. This browser stays signed in.
          </p>
        </ConfirmAction>
      ) : (
        ending && (
          <ConfirmAction
            title="End this session?"
            confirmLabel="End it"
            work={() => remove(`/user/sessions/${ending.id}`)}
            onDone={() => void ended("The session is over.")}
            onClose={() => setEnding(undefined)}
          >
            <p>
              {ending.device}, {place(ending)}. Whoever uses it has to sign in again.
            </p>
          </ConfirmAction>
        )
      )}
    </section>
  );
}

function place({ ip, country: code }: { ip: string; country: string | null }): string {
  return [code && country(code), ip].filter(Boolean).join(", ");
}

/** Where this account was signed in before: a sign-in anywhere else is told by mail. */
export function Devices() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["devices"],
    queryFn: ({ signal }) => get<{ data: Device[] }>("/user/devices", { signal }),
  });
  const [renaming, setRenaming] = useState<Device>();
  const [removing, setRemoving] = useState<Device>();
  const refresh = () =>
    Promise.all(["devices", "sessions"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
  return (
    <section aria-labelledby="devices">
      <h2 id="devices">Known devices</h2>
      <Loaded
        query={query}
        isEmpty={({ data }) => data.length === 0}
        empty={<Empty title="No device is known any more" />}
      >
        {({ data }) => (
          <ul className="items">
            {data.map((device) => (
              <li key={device.id}>
                <div>
                  <strong>{device.name}</strong> {device.current && <span className="badge">this one</span>}
                  <p className="hint">
                    {[device.browser, device.system, device.country && country(device.country)]
                      .filter(Boolean)
                      .join(" · ")}{" "}
                    · last used {dayTime(device.lastSeenAt)}
                  </p>
                </div>
                <div className="row">
                  <Button onClick={() => setRenaming(device)} aria-label={`Rename ${device.name}`}>
                    Rename…
                  </Button>
                  <Button onClick={() => setRemoving(device)} aria-label={`Remove ${device.name}`}>
                    Remove…
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {renaming && (
        <Rename
          device={renaming}
          onClose={() => setRenaming(undefined)}
          onDone={() => {
            setRenaming(undefined);
            toast("The device is renamed.");
            void refresh();
          }}
        />
      )}
      {removing && (
        <ConfirmAction
          title={`Remove ${removing.name}?`}
          confirmLabel="Remove it"
          work={() => remove(`/user/devices/${removing.id}`)}
          onDone={() => {
            setRemoving(undefined);
            toast(`${removing.name} is removed.`);
            if (removing.current) leave();
            else void refresh();
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>
            Its sessions end, and the next sign-in on it counts as one on a new device.
            {removing.current && " It is the one that you are using: you will be signed out."}
          </p>
        </ConfirmAction>
      )}
    </section>
  );
}

function Rename({ device, onClose, onDone }: { device: Device; onClose: () => void; onDone: () => void }) {
  const form = useForm({ name: device.name }, async (values) => {
    await patch(`/user/devices/${device.id}`, values);
    onDone();
  });
  return (
    <Dialog title={`Rename ${device.name}`} onClose={onClose}>
      <Form form={form} submitLabel="Rename" actions={<Button onClick={onClose}>Cancel</Button>}>
        <TextField form={form} name="name" label="Name" autoComplete="off" required />
      </Form>
    </Dialog>
  );
}
