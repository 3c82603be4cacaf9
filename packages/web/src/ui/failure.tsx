import { Problem } from "../api.ts";

/** Why something that was pressed did not work, read out when it appears; nothing while all is well. */
export function Failure({ error }: { error: unknown }) {
  return (
    <div role="alert">
      {error instanceof Problem && (
        <p className="notice" data-look="bad">
          {error.message}
        </p>
      )}
    </div>
  );
}
