import { use } from "react";
import type { DemoPeople } from "../../../demo-people.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { messages } from "./messages.ts";

/** Buttons that sign in as a person of the demo data. Shown only if the page comes from a local server that has demo data. */
export function DemoSignIn({
  busy,
  onChoose,
}: {
  busy: boolean;
  onChoose: (credentials: { email: string; password: string }) => void;
}) {
  const { people, password } = use(demoPeople);
  if (people.length === 0) return null;
  return (
    <section className="demo" aria-labelledby="demo-title">
      <h2 id="demo-title">{messages.demo}</h2>
      <p className="hint">{messages.demoHint}</p>
      <ul>
        {people.map(({ id, email, name, role, picture }) => (
          <li key={id}>
            <Button busy={busy} onClick={() => onChoose({ email, password })}>
              <Avatar id={id} name={name} picture={picture} size={32} />
              <span>
                {name}
                <small>{messages.roles[role]}</small>
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const noPeople: DemoPeople = { password: "", people: [] };

/** Loaded with the module, so that the page does not move when the answer arrives. */
const demoPeople = load();

/** Asks the local server. Deployed stages are never asked: their host name is not a loopback one. */
async function load(): Promise<DemoPeople> {
  if (!["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)) return noPeople;
  try {
    const answer = await fetch("/demo-people.json");
    return answer.ok ? await answer.json() : noPeople;
  } catch {
    return noPeople;
  }
}
