import type { Need } from "@svc/core/platform/config/config";
import type { Built } from "./bundle.ts";
import { type Lock, packagesOf } from "./lock.ts";

/** What every cold start may cost, in KiB of JavaScript: 450 kB. What costs more has crept in by an import too many. */
export const budgetKiB = Math.floor(450_000 / 1024);

/** Packages that may cost more, by how much, and the needs that are worth it. */
const worth: Record<string, { needs: readonly Need[]; extraKiB: number }> = {
  "@aws-sdk/client-s3": { needs: ["avatars:write", "avatars:sweep", "files:write"], extraKiB: 600 },
  "@simplewebauthn/server": { needs: ["webauthn"], extraKiB: 500 },
  "mmdb-lib": { needs: ["places"], extraKiB: 20 },
  // The writer of PDF with its fonts' tables, and the one font that is printed.
  pdfkit: { needs: ["documents"], extraKiB: 850 },
  "dejavu-fonts-ttf": { needs: ["documents"], extraKiB: 950 },
  nodemailer: { needs: ["mail"], extraKiB: 280 },
};

/** Why a bundle carries more than others, as the packages that its needs are worth. */
export function reasons(needs: readonly Need[]): string[] {
  return Object.entries(worth).flatMap(([name, { needs: worthIt }]) =>
    needs.some((need) => worthIt.includes(need)) ? [name] : [],
  );
}

/** Files that exist for the local server, for tests, or for building. None of them is ever deployed. */
const undeployed = /^(packages\/(local|bundle|bench|lambda|web)\/|stacks\/|.*\/testing\/|.*\.test\.ts$)/;

/** The AWS SDK's own parts, which whatever client it is needs. */
const sdk = /^@(?:aws-sdk|smithy|aws-crypto)\//;

/** Only bundles that publish events to webhooks carry this module: esbuild drops it where `Event.publish` is not called. */
const outbox = "packages/core/event/outbox.ts";

/** What is wrong with this bundle, a sentence each; nothing, when it may be deployed. */
export function offences({ name, needs, sharp, bytes, inputs, externals }: Built, lock: Lock): string[] {
  const found: string[] = [];
  const shipped = packagesOf(lock, ["packages/core", "functions"]);
  const packages = new Set(
    inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  for (const path of inputs) if (undeployed.test(path)) found.push(`${name} carries ${path}`);
  for (const one of packages)
    if (!shipped.has(one)) found.push(`${name} carries ${one}, on which neither core nor functions depend`);
  let allowedKiB = budgetKiB;
  for (const [one, { needs: worthIt, extraKiB }] of Object.entries(worth))
    if (packages.has(one)) {
      allowedKiB += extraKiB;
      if (!needs.some((need) => worthIt.includes(need)))
        found.push(`${name} carries ${one} and needs none of ${worthIt.join(", ")}`);
    }
  for (const one of packages)
    if (sdk.test(one) && !(one in worth) && !reasons(needs).some((worthIt) => sdk.test(worthIt)))
      found.push(`${name} carries ${one}, and nothing that it needs speaks to AWS by its SDK`);
  if (inputs.includes(outbox) && !needs.includes("queue"))
    found.push(`${name} publishes events to webhooks and does not need queue`);
  if (bytes > allowedKiB * 1024)
    found.push(`${name} has ${Math.ceil(bytes / 1024)} KiB, and ${allowedKiB} are allowed`);
  if (externals.includes("sharp") && !sharp)
    found.push(`${name} imports sharp, and its line does not say so`);
  if (!externals.includes("sharp") && sharp) found.push(`${name} says sharp and never imports it`);
  if (sharp && !needs.some((need) => need.endsWith(":write")))
    found.push(`${name} has sharp and stores no picture`);
  for (const one of externals)
    if (one !== "sharp" && one !== "pg-native") found.push(`${name} expects ${one} beside it`);
  return found;
}
