import { registerHooks } from "node:module";

/**
 * Makes the list of members of this process use the SDK's presigner, and changes nothing else: the resolver returns object
 * keys, and the handler signs each before it responds.
 */
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const source = String(loaded.source);
    if (url.endsWith("/core/avatar/resolve.ts"))
      return {
        ...loaded,
        source: `
          import * as StoredValue from "./stored-value.ts";
          export const resolveAll = (stored) => stored.map((value) => StoredValue.key(value) ?? "");
          export const resolve = (stored) => resolveAll([stored])[0];`,
      };
    if (url.endsWith("/functions/team/members/list.ts")) {
      const changed = source.replace(/, secret\);/, ", async (list) => secret(await signedBySdk(list)));");
      if (changed === source)
        throw new Error("functions/team/members/list.ts has changed. Update the replacement in this file.");
      return {
        ...loaded,
        source: `import { signedBySdk } from "${new URL("sign.ts", import.meta.url)}";${changed}`,
      };
    }
    return loaded;
  },
});
