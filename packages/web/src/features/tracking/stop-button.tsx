import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { useTimer } from "./entries.ts";

/** Stops the person's timer, for wherever it is shown. `compact`: a square where there is no room for the word. */
export function StopButton({ compact = false }: { compact?: boolean }) {
  const { stop } = useTimer();
  return (
    <>
      <Button
        look="primary"
        busy={stop.isPending}
        onClick={() => stop.mutate()}
        {...(compact && { "aria-label": "Stop the timer" })}
      >
        {compact ? (
          <>
            <span className="stop-word">Stop</span>
            <span className="stop-square" aria-hidden="true" />
          </>
        ) : (
          "Stop"
        )}
      </Button>
      <Failure error={stop.error} />
    </>
  );
}
