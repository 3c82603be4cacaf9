const loaded = new Map<string, Promise<{ handler: never }>>();

/**
 * The `handler` of a file under functions/, named without its extension as routes.ts and jobs.ts name it. Imported once:
 * asking the module loader again costs more than many a handler.
 */
export async function load<H>(file: string): Promise<H> {
  const module = loaded.get(file) ?? import(/* @vite-ignore */ new URL(`${file}.ts`, import.meta.url).href);
  loaded.set(file, module);
  return (await module).handler;
}
