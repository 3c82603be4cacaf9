const loaded = new Map<string, Promise<{ handler: never }>>();

/**
 * Returns the `handler` of a file under functions/. `file` is its path without the extension, as in routes.ts and jobs.ts.
 * Modules are cached here, because another `import()` takes longer than many handlers.
 */
export async function load<H>(file: string): Promise<H> {
  const module = loaded.get(file) ?? import(/* @vite-ignore */ new URL(`${file}.ts`, import.meta.url).href);
  loaded.set(file, module);
  return (await module).handler;
}
