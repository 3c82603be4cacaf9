import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { Problem } from "../base/api.ts";
import {
  type Changes,
  currentIn,
  type Difference,
  differences,
  type Part,
  rebased,
  type Versioned,
} from "../base/versions.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { toast } from "./toast.tsx";
import "./conflict.css";
import { messages } from "./messages.ts";

/** The decision that the user has to make: about a change, or about the deletion of an older version. */
type Question = { kind: "change" | "deletion"; differences: readonly Difference[] };
type Choice = "mine" | "theirs";
type Ask = (question: Question) => Promise<Choice>;

const Context = createContext<Ask>(async () => {
  throw new Error("useEdit works only inside Conflicts.");
});

/** The resource after an edit. `saved` is false if the user took the version of someone else instead. */
export type Edited<T> = { resource: T; saved: boolean };

/**
 * Returns functions that change and delete the version of a resource that this component has first rendered, or with `follow`, the
 * one that it renders now, for buttons beside what they change. `send` receives that version for If-Match. If someone else has changed one of the `parts` meanwhile, the user sees both versions and chooses; if
 * only something else has changed, the request is sent again for the new version. Throws the errors of `send`, and a `Problem`
 * when the user decides nothing.
 */
export function useEdit<T extends Versioned>(
  resource: T | undefined,
  parts: readonly Part<T>[],
  { follow = false }: { follow?: boolean } = {},
) {
  const ask = useContext(Context);
  // Without a resource, as in a form that creates one, there is nothing to save or delete.
  const first = useRef(resource as T);
  const latest = resource as T;
  // The versions that changes of this component have made of others. The user knows them, even before they are rendered.
  const own = useRef(new Map<string, T>());

  /** Sends until the resource is the version that the user has seen or decided to replace. Returns undefined for theirs. */
  async function attempt<C extends Changes, R>(
    kind: Question["kind"],
    changes: C,
    send: (changes: C, version: string) => Promise<R>,
  ): Promise<{ result: R; base: T } | undefined> {
    let base = follow ? latest : first.current;
    for (let next = own.current.get(base.version); next; next = own.current.get(base.version)) base = next;
    for (let wanted = changes; ; ) {
      try {
        return { result: await send(wanted, base.version), base };
      } catch (problem) {
        const current = currentIn<T>(problem);
        if (!current) throw problem;
        const found = differences(parts, base, wanted, current);
        // A response that was lost leaves the version that this change has made.
        const changed = found.some(
          ({ seen, mine, theirs }) => seen !== theirs && (kind === "deletion" || mine !== theirs),
        );
        if (changed && (await ask({ kind, differences: found })) === "theirs") {
          first.current = current;
          return undefined;
        }
        wanted = rebased(parts, base, wanted, current);
        base = current;
      }
    }
  }

  return {
    async save<C extends Changes>(
      changes: C,
      send: (changes: C, version: string) => Promise<T>,
    ): Promise<Edited<T>> {
      const sent = await attempt("change", changes, send);
      if (sent) {
        if (sent.result.version !== sent.base.version) own.current.set(sent.base.version, sent.result);
        first.current = sent.result;
      } else toast(messages.conflict.discarded);
      return { resource: first.current, saved: sent !== undefined };
    },
    async remove(send: (version: string) => Promise<void>): Promise<void> {
      if (!(await attempt("deletion", {}, (_, version) => send(version)))) throw undecided("deletion");
    },
  };
}

/** Provides `useEdit` to the components inside, with the dialog that shows both versions. */
export function Conflicts({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<Question & { answer: PromiseWithResolvers<Choice> }>();
  const ask = useCallback<Ask>(async (question) => {
    const answer = Promise.withResolvers<Choice>();
    setOpen({ ...question, answer });
    try {
      return await answer.promise;
    } finally {
      setOpen(undefined);
    }
  }, []);
  return (
    <Context value={ask}>
      {children}
      {open && (
        <ConflictDialog
          {...open}
          onChoice={open.answer.resolve}
          onClose={() => open.answer.reject(undecided(open.kind))}
        />
      )}
    </Context>
  );
}

function ConflictDialog({
  kind,
  differences,
  onChoice,
  onClose,
}: Question & { onChoice: (choice: Choice) => void; onClose: () => void }) {
  const text = messages.conflict[kind];
  return (
    <Dialog title={messages.conflict.title} onClose={onClose}>
      <p>{text.intro}</p>
      <dl className="versions">
        {differences.map(({ label, seen, mine, theirs }) => (
          <div key={label}>
            <dt>{label}</dt>
            {mine === theirs ? (
              <dd>
                <Version title={messages.conflict.same} text={mine} />
              </dd>
            ) : kind === "change" && mine === seen ? (
              <dd>
                <Version title={messages.conflict.onlyTheirs} text={theirs} />
              </dd>
            ) : (
              <dd className="pair">
                <Version title={text.mine} text={mine} />
                <Version title={text.theirs} text={theirs} />
              </dd>
            )}
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <Button onClick={() => onChoice("theirs")}>{text.take}</Button>
        <Button look={kind === "change" ? "primary" : "danger"} onClick={() => onChoice("mine")}>
          {text.keep}
        </Button>
      </div>
    </Dialog>
  );
}

function Version({ title, text }: { title: string; text: string }) {
  return (
    <div>
      <span className="hint">{title}</span>
      <span className="text">{text || messages.conflict.empty}</span>
    </div>
  );
}

function undecided(kind: Question["kind"]): Problem {
  return new Problem(0, { code: "conflict_undecided", detail: messages.conflict.undecided[kind] });
}
