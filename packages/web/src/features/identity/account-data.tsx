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
import { profileMessages } from "./settings-messages.ts";

const { data, deletion } = profileMessages;

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
      toast(all.complete ? data.done : data.doneInPart);
    } catch (problem) {
      setFailure(problem);
    } finally {
      setBusy(false);
    }
  }
  return (
    <section aria-labelledby="download">
      <h2 id="download">{data.title}</h2>
      <p>{data.lead}</p>
      <Failure error={failure} />
      <div role="status">
        {omitted.map(({ workspaceId, name, reason }) => (
          <p key={workspaceId} className="notice">
            {data.omitted[reason](name)}
          </p>
        ))}
      </div>
      {busy && <Progress label={data.preparing} share={undefined} />}
      <Button busy={busy} onClick={() => void download()}>
        {data.submit}
      </Button>
    </section>
  );
}

function DeleteAccount() {
  const { me } = useCurrentUser();
  const reauthenticate = useReauthentication();
  const [asking, setAsking] = useState(false);
  const owned = me.workspaces.filter(({ role }) => role === "owner");
  return (
    <section aria-labelledby="delete">
      <h2 id="delete">{deletion.title}</h2>
      <p>{deletion.lead}</p>
      <Button onClick={() => setAsking(true)}>{deletion.ask}</Button>
      {asking && (
        <ConfirmAction
          title={deletion.question}
          confirmLabel={deletion.confirm}
          action={() => reauthenticate(() => svc.delete("/user")).catch(explainSoleOwner(me.workspaces))}
          onDone={() => {
            deleteDeviceToken();
            returnToSignIn();
            toast(deletion.done);
          }}
          onClose={() => setAsking(false)}
        >
          <p>{deletion.warning}</p>
          {owned.length > 0 && (
            <>
              <p>{deletion.owned(owned.map(({ name }) => name))}</p>
              <ul>
                <li>{deletion.ownedAlone}</li>
                <li>{deletion.ownedWithOthers}</li>
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
    const name = workspaces.find(({ id }) => id === problem.body.workspaceId)?.name;
    throw new Problem(problem.status, {
      code: problem.code,
      detail: name === undefined ? deletion.soleOwnerOfUnknown : deletion.soleOwner(name),
    });
  };
}
