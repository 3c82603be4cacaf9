/** The parts of the tools that the checks use. Only `npm run check:openapi` installs them. */
declare module "@stoplight/spectral-core" {
  type Result = { code: string | number; message: string; path: (string | number)[] };
  const core: {
    Document: new (text: string, parser: unknown, source: string) => unknown;
    Spectral: new () => { setRuleset(ruleset: object): void; run(document: unknown): Promise<Result[]> };
  };
  export default core;
}
declare module "@stoplight/spectral-owasp-ruleset" {
  const ruleset: object;
  export default ruleset;
}
declare module "@stoplight/spectral-parsers" {
  const parsers: { Json: unknown };
  export default parsers;
}
declare module "@stoplight/spectral-rulesets" {
  const rulesets: { oas: object };
  export default rulesets;
}
declare module "@redocly/openapi-core" {
  type Result = { ruleId: string; message: string; location: { pointer?: string }[] };
  export function createConfig(config: object): Promise<object>;
  export function lint(options: { ref: string; config: object }): Promise<Result[]>;
}
