import { Problem, problemMessage } from "../base/api.ts";

/** Shows and announces why an action failed. Shows nothing while `error` is undefined. */
export function Failure({ error }: { error: unknown }) {
  return (
    <div role="alert">
      {error ? (
        <p className="notice" data-look="bad">
          {error instanceof Problem
            ? problemMessage(error)
            : "Something went wrong. Reload the page and try again."}
        </p>
      ) : null}
    </div>
  );
}
