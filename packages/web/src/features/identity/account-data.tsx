import { useState } from "react";
import { get, Problem, remove } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { saveFile } from "../../base/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Progress } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { useReauthentication } from "./reauthentication.tsx";
import { leave } from "./session.ts";

/** All that is kept about the person: as a file, or gone. */
export function YourData() {
  return (
    <section className="settings-columns" aria-label="Your data">
      <Download />
      <Delete />
    </section>
  );
}

function Download() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  async function download(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      const all = await get<{ exportedAt: string; complete: boolean }>("/user/export");
      saveFile(
        `svc-export-${all.exportedAt.slice(0, 10)}.json`,
        new Blob([JSON.stringify(all, null, 2)], { type: "application/json" }),
      );
      toast(
        all.complete
          ? "Your data is downloaded."
          : "Your data is downloaded. It is more than fits into one file: the oldest entries are left out.",
      );
    } catch (problem) {
      setFailure(problem);
    } finally {
      setBusy(false);
    }
  }
  return (
    <section aria-labelledby="download">
      <h2 id="download">Download your data</h2>
      <p>
        Everything that is kept about you, as one JSON file: profile, devices, logins, your time and your own
        workspaces. Passwords, tokens and codes are not in it.
      </p>
      <Failure error={failure} />
      {busy && <Progress label="Gathering your data…" share={undefined} />}
      <Button busy={busy} onClick={() => void download()}>
        Download
      </Button>
    </section>
  );
}

function Delete() {
  const { me } = useCurrentUser();
  const guarded = useReauthentication();
  const [asking, setAsking] = useState(false);
  const owned = me.workspaces.filter(({ role }) => role === "owner");
  return (
    <section aria-labelledby="delete">
      <h2 id="delete">Delete your account</h2>
      <p>
        Your picture, your personal data and your access are gone at once. Time that you tracked stays in the
        reports of its workspace, under “Deleted user”.
      </p>
      <Button look="danger" onClick={() => setAsking(true)}>
        Delete the account…
      </Button>
      {asking && (
        <ConfirmAction
          title="Delete your account?"
          confirmLabel="Delete it for ever"
          work={() => guarded(() => remove("/user")).catch(inOurWords(me.workspaces))}
          onDone={() => {
            leave();
            toast("Your account is deleted.");
          }}
          onClose={() => setAsking(false)}
        >
          <p>This cannot be taken back, by nobody. You will be asked for your password.</p>
          {owned.length > 0 && (
            <>
              <p>You own {owned.map(({ name }) => name).join(", ")}. A workspace that you own</p>
              <ul>
                <li>and that nobody else is in is deleted with you, with all its time and projects;</li>
                <li>and that others are in needs another owner first: hand it over under Workspaces.</li>
              </ul>
            </>
          )}
        </ConfirmAction>
      )}
    </section>
  );
}

/** Who owns a workspace with others learns on this page how to hand it over; the server's words are for programs. */
function inOurWords(workspaces: readonly { id: string; name: string }[]) {
  return (problem: unknown): never => {
    if (!(problem instanceof Problem) || problem.code !== "sole_owner") throw problem;
    const name = workspaces.find(({ id }) => id === problem.extra.workspaceId)?.name ?? "a workspace";
    throw new Problem(problem.status, {
      code: problem.code,
      detail: `You own ${name}, and others are in it. Hand it over under Workspaces, then delete your account.`,
    });
  };
}
