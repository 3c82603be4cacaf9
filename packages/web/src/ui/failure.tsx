import { Problem } from "../api.ts";

/** Why something that was pressed did not work, read out when it appears; no words while all is well. */
export function Failure({ error }: { error: unknown }) {
  return (
    <div role="alert">
      {error != null && (
        <p className="notice" data-look="bad">
          {error instanceof Problem ? error.message : "This did not work. Load the page again."}
        </p>
      )}
    </div>
  );
}
