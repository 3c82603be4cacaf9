import { jobs } from "../../functions/jobs.ts";
import { routes } from "../../functions/routes.ts";
import { keyPermissionsOf, type Permission, permissionsOf, roleOf } from "./policies.ts";
import type { Evaluated } from "./recorded.ts";
import { deployed } from "./resources.ts";

/** Renders stacks/PERMISSIONS.md: every function and its permissions. */
export function permissionsPage(evaluated: Evaluated): string {
  const order = [...Object.keys(routes), ...Object.keys(jobs)];
  const inOrder = deployed(evaluated).toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  const rows = inOrder.map(({ key, line, fn }) => {
    const role = roleOf(evaluated, fn);
    const permissions = permissionsOf(evaluated).filter(
      ({ owner, effect, action }) =>
        owner.urn === role?.urn && effect !== "Deny" && !action.startsWith("logs:"),
    );
    const cells = [
      key,
      summarize(permissions),
      summarize(keyPermissionsOf(evaluated, fn)),
      line.needs.join(", "),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return `# Permissions of each function

\`npm run permissions\` writes this page from the stacks as they evaluate for production. \`npm run check:infra\` fails when the page is out of date, and \`npm run check:permissions\` proves that each permission is used.

Every role may also write to its own log (\`logs:CreateLogStream\`, \`logs:PutLogEvents\`), and has no other permission. A storage key belongs to an IAM user: no role has an S3 action. \`svc-avatars\` and \`svc-files\` are the stage's buckets.

| function | role | storage key | needs |
|---|---|---|---|
${rows.join("\n")}
`;
}

function summarize(permissions: readonly Permission[]): string {
  return (
    permissions.map(({ action, resource }) => `\`${action}\` on ${shortName(resource)}`).join("<br>") || "–"
  );
}

/** Returns the last part of an ARN without stage, account id and random suffix. */
function shortName(resource: string): string {
  const bucket = /^arn:aws:s3:::(svc-\w+)-\w+-\d{12}(.*)$/.exec(resource);
  if (bucket) return `${bucket[1]}${bucket[2]}`;
  const [, , service = "", , , ...rest] = resource.split(":");
  return service === "dsql"
    ? "the database"
    : `${service} ${rest.join(":").replace(/^svc-[a-z]+-|-[a-z]{8}$/g, "")}`;
}
