/** A word or phrase that this repository does not use, and what to write instead. */
export type Rule = { pattern: RegExp; instead: string };

/** Words of an idiom that readers had to decode. CONTRIBUTING.md says how prose is written here. */
export const rules: readonly Rule[] = [
  { pattern: /\bseats?\b/i, instead: "membership" },
  { pattern: /\bletIn\b|\blet in(?:to)?\b|\blets \w+ in\b/i, instead: "authorize, allow" },
  { pattern: /\bstretch(?:es)?\b/i, instead: "range" },
  { pattern: /\banew\b/i, instead: "again, regenerate" },
  { pattern: /\bwhoever\b/i, instead: "the caller, the user, the client" },
  { pattern: /\bwhosoever\b|\bwhichever\b/i, instead: "the one that" },
  { pattern: /\bgo(?:es)? with (?:it|them|him|her)\b/i, instead: "is deleted with" },
  { pattern: /\bby the clock\b/i, instead: "scheduled, on a schedule" },
  { pattern: /\bthe house\b/i, instead: "the system" },
  { pattern: /\b(?:some|no|every)body\b/i, instead: "someone, no one, everyone, or the subject itself" },
  { pattern: /\bhand(?:s|ed|ing)? (?:it |them |a workspace |the workspace )?over\b/i, instead: "transfer" },
  { pattern: /\bverdicts?\b/i, instead: "classification, result" },
  { pattern: /\bjudge[sd]?\b/i, instead: "validate, check" },
  { pattern: /\bdearest\b/i, instead: "most expensive" },
  { pattern: /\bof (?:its|their|his|her|our|your|one's|one’s) own\b/i, instead: "its own X, a separate X" },
  { pattern: /\bof (?:ours|theirs|yours)\b/i, instead: "our X, their X" },
  { pattern: /\blest\b|\bthereby\b|\bhence\b|\bwhence\b/i, instead: "so that, which" },
  { pattern: /\bnothing is nothing\b/i, instead: "zero" },
  {
    pattern: /(?:\/\*\*|\*|\/\/) (?:What|Who|Whose|Whom|Of|Nobody|Whatever) /,
    instead: "name the subject first",
  },
];

/** Finds the words of the list in a file and returns one line for each, with its place and the term to use. */
export function violations(file: string, text: string): string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      rules
        .filter(({ pattern }) => pattern.test(line))
        .map(
          ({ pattern, instead }) =>
            `${file}:${index + 1} "${pattern.exec(line)?.[0]}": write ${instead} instead`,
        ),
    );
}
