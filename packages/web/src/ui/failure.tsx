import { Problem, problemMessage } from "../base/api.ts";

/** Why something that was asked for was not done; it is read out when it appears. Nothing without an error. */
export function Failure({ error }: { error: unknown }) {
  return (
    <div role="alert">
      {error ? (
        <p className="notice" data-look="bad">
          {error instanceof Problem ? problemMessage(error) : "This did not work. Load the page again."}
        </p>
      ) : null}
    </div>
  );
}
