import type { AccountExport } from "@svc/client";
import { useState } from "react";
import { Problem, svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { saveFile } from "../../base/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-action.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Panels } from "../../ui/panels.tsx";
import { Progress } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.tsx";
import { deleteDeviceToken } from "./device-token.ts";
import { useReauthentication } from "./reauthentication.tsx";
import { returnToSignIn } from "./session.ts";

/** Downloads the user's data and deletes the account. */
export function YourData() {
  return (
    <Panels columns>
      <DownloadData />
      <DeleteAccount />
    </Panels>
  );
}

function DownloadData() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [omitted, setOmitted] = useState<AccountExport["omitted"]>([]);
  async function download(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      const all = await svc.get("/user/export");
      setOmitted(all.omitted);
      saveFile(
        `svc-export-${all.exportedAt.slice(0, 10)}.json`,
        new Blob([JSON.stringify(all, null, 2)], { type: "application/json" }),
      );
      toast(
        all.complete
          ? "Data downloaded."
          : "Data downloaded. The oldest entries did not fit into the file and are missing.",
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
        A JSON file with all data about you: profile, devices, sign-ins, time entries, reports and the
        workspaces that you own. It contains no passwords, tokens or codes.
      </p>
      <Failure error={failure} />
      <div role="status">
        {omitted.map(({ workspaceId, name, reason }) => (
          <p key={workspaceId} className="notice">
            The file does not contain the data of {name}, which {omissions[reason]}.
          </p>
        ))}
      </div>
      {busy && <Progress label="Preparing your data…" share={undefined} />}
      <Button busy={busy} onClick={() => void download()}>
        Download data
      </Button>
    </section>
  );
}

const omissions: Record<AccountExport["omitted"][number]["reason"], string> = {
  ip_not_allowed: "does not allow access from your IP address",
  two_factor_required: "requires two-factor authentication",
};

function DeleteAccount() {
  const { me } = useCurrentUser();
  const reauthenticate = useReauthentication();
  const [asking, setAsking] = useState(false);
  const owned = me.workspaces.filter(({ role }) => role === "owner");
  return (
    <section aria-labelledby="delete">
      <h2 id="delete">Delete your account</h2>
      <p>
        Deletes your picture and personal data and ends your access immediately. Time that you tracked stays
        in the reports of each workspace, under “Deleted user”.
      </p>
      <Button onClick={() => setAsking(true)}>Delete account…</Button>
      {asking && (
        <ConfirmAction
          title="Delete your account?"
          confirmLabel="Delete account"
          action={() => reauthenticate(() => svc.delete("/user")).catch(explainSoleOwner(me.workspaces))}
          onDone={() => {
            deleteDeviceToken();
            returnToSignIn();
            toast("Account deleted.");
          }}
          onClose={() => setAsking(false)}
        >
          <p>You cannot undo this. You will be asked for your password.</p>
          {owned.length > 0 && (
            <>
              <p>You own {owned.map(({ name }) => name).join(", ")}.</p>
              <ul>
                <li>
                  Workspaces without other active members are deleted with your account, including all time
                  and projects.
                </li>
                <li>
                  Workspaces with other active members need a new owner first. Transfer them under Workspaces.
                </li>
              </ul>
            </>
          )}
        </ConfirmAction>
      )}
    </section>
  );
}

/** Replaces the message of `sole_owner` with one that says where to transfer the workspace on this page. */
function explainSoleOwner(workspaces: readonly { id: string; name: string }[]) {
  return (problem: unknown): never => {
    if (!(problem instanceof Problem) || problem.code !== "sole_owner") throw problem;
    const name = workspaces.find(({ id }) => id === problem.body.workspaceId)?.name ?? "a workspace";
    throw new Problem(problem.status, {
      code: problem.code,
      detail: `You own ${name}, which has other members. Transfer it under Workspaces, then delete your account.`,
    });
  };
}
