/** The `handler` of a file under functions/, named without its extension as routes.ts and jobs.ts name it. */
export async function load<H>(file: string): Promise<H> {
  const module = await import(/* @vite-ignore */ new URL(`${file}.ts`, import.meta.url).href);
  return module.handler;
}
