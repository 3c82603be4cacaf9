import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { Problem, svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { saveFile } from "../../base/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { messages } from "./messages.ts";

const texts = messages.checkpoint;

/** The signed end of the log's chain of hashes, to copy or download, and what it proves. It is loaded when it is asked for. */
export function Checkpoint() {
  const [shown, setShown] = useState(false);
  return (
    <Card title={texts.title}>
      <div className="checkpoint">
        <p>{texts.proves}</p>
        {shown ? <Current /> : <Button onClick={() => setShown(true)}>{texts.show}</Button>}
      </div>
    </Card>
  );
}

function Current() {
  const { workspace } = useCurrentUser();
  const query = useQuery({
    queryKey: ["audit-log", workspace.id, "checkpoint"],
    // Null while there is none yet.
    queryFn: ({ signal }) =>
      svc.get("/api/v1/audit-logs/checkpoint", { signal }).catch((error: unknown) => {
        if (error instanceof Problem && error.code === "checkpoint_pending") return null;
        throw error;
      }),
  });
  return (
    <Loaded query={query} isEmpty={(found) => found === null} empty={<p role="status">{texts.pending}</p>}>
      {(found) => {
        if (!found) return null;
        const text = JSON.stringify(found, undefined, 2);
        return (
          <>
            <p role="status">{texts.covers(found.sequence, found.at)}</p>
            <pre className="code">{text}</pre>
            <div className="row">
              <CopyButton text={text} label={texts.copy} />
              <Button
                onClick={() =>
                  saveFile("audit-log-checkpoint.json", new Blob([text], { type: "application/json" }))
                }
              >
                <Download aria-hidden="true" />
                {texts.download}
              </Button>
            </div>
          </>
        );
      }}
    </Loaded>
  );
}
