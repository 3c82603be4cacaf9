import { Problem } from "../api.ts";

/** Why something that was asked for was not done; it is read out when it appears. Nothing without an error. */
export function Failure({ error }: { error: unknown }) {
  return (
    <div role="alert">
      {error ? (
        <p className="notice" data-look="bad">
          {wordsFor(error)}
        </p>
      ) : null}
    </div>
  );
}

function wordsFor(error: unknown): string {
  if (!(error instanceof Problem)) return "This did not work. Load the page again.";
  return [error.message, ...error.errors.map(({ detail }) => detail)]
    .filter((words, at, all) => all.indexOf(words) === at)
    .join(" ");
}
