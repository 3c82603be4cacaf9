import type { Need } from "@svc/core/platform/config/config";
import type { Built } from "./bundle.ts";
import { type Lock, packagesOf } from "./lock.ts";

/** Size limit of a bundle without large packages: 450 kB. A larger one probably has an unnecessary import. */
export const budgetKiB = Math.floor(450_000 / 1024);

/** Large packages: how much they add to the limit, and the needs that allow them. */
const largePackages: Record<string, { needs: readonly Need[]; extraKiB: number }> = {
  "@aws-sdk/client-s3": {
    needs: ["avatars:write", "avatars:sweep", "files:write", "erasures:record", "erasures:reapply"],
    extraKiB: 600,
  },
  "@simplewebauthn/server": { needs: ["webauthn"], extraKiB: 500 },
  "@zxcvbn-ts/core": { needs: ["passwords"], extraKiB: 120 },
  "@zxcvbn-ts/language-common": { needs: ["passwords"], extraKiB: 430 },
  "@zxcvbn-ts/language-en": { needs: ["passwords"], extraKiB: 1200 },
  "mmdb-lib": { needs: ["places"], extraKiB: 20 },
  // The PDF writer with its font tables and the order of directions. The fonts of PDF reports are files beside the bundle.
  pdfkit: { needs: ["documents"], extraKiB: 930 },
  nodemailer: { needs: ["mail"], extraKiB: 280 },
};

/** Returns the large packages that these needs allow. */
export function allowedLargePackages(needs: readonly Need[]): string[] {
  return Object.entries(largePackages).flatMap(([name, { needs: allowing }]) =>
    needs.some((need) => allowing.includes(need)) ? [name] : [],
  );
}

/** Files for the local server, for tests and for building, which must not be deployed. */
const developmentFiles =
  /^(packages\/(client|local|bundle|bench|lambda|web)\/|stacks\/|.*\/testing\/|.*\.test\.ts$)/;

/** The parts of the AWS SDK that all its clients share. */
const sdk = /^@(?:aws-sdk|smithy|aws-crypto)\//;

/** Only bundles that publish events to webhooks carry this module: esbuild drops it where `Event.publish` is not called. */
const outbox = "packages/core/event/outbox.ts";

/** The API document, which grows with every route and whose function needs nothing else. */
const apiDocument = { path: "functions/openapi/document.json", extraKiB: 600 };

/** Returns a sentence for each rule that a bundle violates; empty if it may be deployed. */
export function violations({ name, needs, sharp, bytes, inputs, externals }: Built, lock: Lock): string[] {
  const found: string[] = [];
  const shipped = packagesOf(lock, ["packages/core", "functions"]);
  const packages = new Set(
    inputs.flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []),
  );
  for (const path of inputs) if (developmentFiles.test(path)) found.push(`${name} contains ${path}`);
  for (const one of packages)
    if (!shipped.has(one))
      found.push(`${name} contains ${one}, which is not a dependency of core or functions`);
  let allowedKiB = budgetKiB + (inputs.includes(apiDocument.path) ? apiDocument.extraKiB : 0);
  for (const [one, { needs: allowing, extraKiB }] of Object.entries(largePackages))
    if (packages.has(one)) {
      allowedKiB += extraKiB;
      if (!needs.some((need) => allowing.includes(need)))
        found.push(`${name} contains ${one} but needs none of ${allowing.join(", ")}`);
    }
  for (const one of packages)
    if (
      sdk.test(one) &&
      !(one in largePackages) &&
      !allowedLargePackages(needs).some((name) => sdk.test(name))
    )
      found.push(`${name} contains ${one}, but none of its needs uses the AWS SDK`);
  if (inputs.includes(outbox) && !needs.includes("queue"))
    found.push(`${name} publishes events to webhooks but does not need queue`);
  if (bytes > allowedKiB * 1024)
    found.push(`${name} has ${Math.ceil(bytes / 1024)} KiB, but only ${allowedKiB} are allowed`);
  if (externals.includes("sharp") && !sharp) found.push(`${name} imports sharp but does not declare it`);
  if (!externals.includes("sharp") && sharp) found.push(`${name} declares sharp but does not import it`);
  if (sharp && !needs.some((need) => need.endsWith(":write")))
    found.push(`${name} uses sharp but stores no images`);
  for (const one of externals)
    if (one !== "sharp" && one !== "pg-native")
      found.push(`${name} imports ${one}, which is not in the bundle`);
  return found;
}
