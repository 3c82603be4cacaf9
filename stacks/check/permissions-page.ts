import { jobs } from "../../functions/jobs.ts";
import { routes } from "../../functions/routes.ts";
import type { Evaluated } from "./recorded.ts";
import { deployed, type Granted, keyRights, rights, roleOf } from "./rules.ts";

/** The page of every function and what it may do, for people: written by `npm run permissions`, held up to date by check:infra. */
export function permissionsPage(evaluated: Evaluated): string {
  const order = [...Object.keys(routes), ...Object.keys(jobs)];
  const inOrder = deployed(evaluated).toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  const rows = inOrder.map(({ key, line, fn }) => {
    const role = roleOf(evaluated, fn);
    const own = rights(evaluated).filter(({ owner, effect }) => owner.urn === role?.urn && effect !== "Deny");
    const beyondLog = own.filter(({ action }) => !action.startsWith("logs:"));
    const cells = [key, brief(beyondLog), brief(keyRights(evaluated, fn)), line.needs.join(", ")];
    return `| ${cells.join(" | ")} |`;
  });
  return `# What each function may do

Written by \`npm run permissions\` from the stacks as they evaluate for production; \`npm run check:infra\` fails when it is out of date, and \`npm run check:permissions\` proves each right by use.

Every role may also write into its own log (\`logs:CreateLogStream\`, \`logs:PutLogEvents\`), and nothing else. A storage key is that of an IAM user: a role has no S3 action. \`svc-avatars\` and \`svc-files\` stand for the buckets of the stage.

| function | its role | its storage key | needs |
|---|---|---|---|
${rows.join("\n")}
`;
}

function brief(granted: readonly Granted[]): string {
  return granted.map(({ action, resource }) => `\`${action}\` on ${thing(resource)}`).join("<br>") || "–";
}

/** The last part of an ARN, without what differs between stages, accounts and deploys. */
function thing(resource: string): string {
  const bucket = /^arn:aws:s3:::(svc-\w+)-\w+-\d{12}(.*)$/.exec(resource);
  if (bucket) return `${bucket[1]}${bucket[2]}`;
  const [, , service = "", , , ...rest] = resource.split(":");
  return service === "dsql"
    ? "the database"
    : `${service} ${rest.join(":").replace(/^svc-[a-z]+-|-[a-z]{8}$/g, "")}`;
}
