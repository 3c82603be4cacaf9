import "./server-banner.css";
import { useSyncExternalStore } from "react";
import { checkServer, serverStatus, subscribeToServer } from "../base/server-status.ts";
import { Button } from "../ui/button.tsx";
import { messages } from "./messages.ts";

/** Says that the server does not respond, or that it has a newer client than this page. */
export function ServerBanner() {
  const status = useSyncExternalStore(subscribeToServer, serverStatus);
  return (
    <div role="status" className="server-banner" data-react-aria-top-layer="true">
      {status === "away" && (
        <>
          <p>{messages.serverAway}</p>
          <Button onClick={() => void checkServer()}>{messages.tryNow}</Button>
        </>
      )}
      {status === "behind" && (
        <>
          <p>{messages.newRelease}</p>
          <Button onClick={() => location.reload()}>{messages.reload}</Button>
        </>
      )}
    </div>
  );
}
