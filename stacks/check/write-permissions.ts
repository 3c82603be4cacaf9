import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { evaluate, root } from "./evaluate.ts";
import { permissionsPage } from "./permissions-page.ts";
import { secrets, settings } from "./settings.ts";

const page = permissionsPage(await evaluate("production", { ...settings, ...secrets }));
writeFileSync(join(root, "stacks/PERMISSIONS.md"), page);
