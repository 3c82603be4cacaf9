import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { root } from "./bundle.ts";

/** Name of the software bill of materials beside the bundles. */
export const sbomFile = "sbom.cdx.json";

/**
 * Returns the CycloneDX bill of all packages in the lock file. Packages that are used only for development are marked
 * `cdx:npm:package:development`. Nothing in it depends on the time or the folder, so that the same lock file has the same bill.
 * Rejects if npm fails.
 */
export async function sbom(): Promise<string> {
  // Not `--omit dev`: npm then leaves out packages that a development dependency also uses, such as bowser.
  const format = ["--sbom-format", "cyclonedx", "--sbom-type", "application"];
  const { stdout } = await promisify(execFile)("npm", ["sbom", ...format, "--package-lock-only"], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const bill = JSON.parse(stdout);
  delete bill.serialNumber;
  delete bill.metadata.timestamp;
  // npm writes the name of the folder here.
  bill.metadata.component.name = "svc";
  return `${JSON.stringify(bill, null, 2)}\n`;
}
