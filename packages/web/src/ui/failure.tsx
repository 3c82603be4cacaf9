import { Problem, problemMessage } from "../base/api.ts";
import { messages } from "./messages.ts";

/** Shows and announces why an action failed. Shows nothing while `error` is undefined. */
export function Failure({ error }: { error: unknown }) {
  return (
    <div role="alert">
      {error ? (
        <p className="notice" data-look="bad">
          {error instanceof Problem ? problemMessage(error) : messages.failed}
        </p>
      ) : null}
    </div>
  );
}
