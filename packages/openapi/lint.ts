import { readFile } from "node:fs/promises";
import { createConfig, lint } from "@redocly/openapi-core";
import core from "@stoplight/spectral-core";
import owasp from "@stoplight/spectral-owasp-ruleset";
import parsers from "@stoplight/spectral-parsers";
import rulesets from "@stoplight/spectral-rulesets";

/** A rule that the document violates, and the place as keys from its root. */
export type Finding = { rule: string; message: string; path: string[] };

/** Returns the findings of all rules of Spectral for OpenAPI and of its rules for the OWASP API Security Top 10. */
export async function spectral(file: string): Promise<Finding[]> {
  const linter = new core.Spectral();
  linter.setRuleset({
    extends: [
      [rulesets.oas, "all"],
      [owasp, "all"],
    ],
  });
  const results = await linter.run(new core.Document(await readFile(file, "utf8"), parsers.Json, file));
  return results.map(({ code, message, path }) => ({ rule: String(code), message, path: path.map(String) }));
}

/** Returns the findings of Redocly's rules `recommended-strict`. */
export async function redocly(file: string): Promise<Finding[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const results = await lint({ ref: file, config });
  return results.map(({ ruleId, message, location: [location] }) => ({
    rule: ruleId,
    message,
    path: (location?.pointer ?? "")
      .replace(/^#\/?/, "")
      .split("/")
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")),
  }));
}
