import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { useTimer } from "./entries.ts";

/** Stops the user's timer. `compact` shows an icon on narrow screens. */
export function StopButton({ compact = false }: { compact?: boolean }) {
  const { stop } = useTimer();
  return (
    <>
      <Button
        look="primary"
        busy={stop.isPending}
        onClick={() => stop.mutate()}
        {...(compact && { "aria-label": "Stop timer" })}
      >
        {compact ? (
          <>
            <span className="stop-word">Stop</span>
            <span className="stop-square" aria-hidden="true" />
          </>
        ) : (
          "Stop timer"
        )}
      </Button>
      <Failure error={stop.error} />
    </>
  );
}
