import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { bundle, root } from "./bundle.ts";
import { sbom, sbomFile } from "./sbom.ts";
import { lambda } from "./sharp.ts";
import { units } from "./units.ts";

const outdir = join(root, "dist");
const built = await bundle(units(), outdir, lambda);
await writeFile(join(outdir, sbomFile), await sbom());
console.log(
  `${built.length} functions built for ${lambda.os}-${lambda.cpu} in ${relative(process.cwd(), outdir) || "."}/, with ${sbomFile}`,
);
