import { join, relative } from "node:path";
import { bundle, root } from "./bundle.ts";
import { lambda } from "./sharp.ts";
import { units } from "./units.ts";

const built = await bundle(units(), join(root, "dist"), lambda);
console.log(
  `${built.length} functions built for ${lambda.os}-${lambda.cpu} in ${relative(process.cwd(), join(root, "dist")) || "."}/`,
);
