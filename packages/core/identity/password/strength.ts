import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import * as common from "@zxcvbn-ts/language-common";
import * as english from "@zxcvbn-ts/language-en";

/** Number of characters that are estimated. The time grows with the square of the length: 128 characters can take seconds. */
export const maxEstimated = 48;

/** The lowest accepted score of zxcvbn: at least 10⁸ guesses. */
export const minScore = 3;

/** The owner of a password, whose name and email are easy to guess. */
export type Owner = { name?: string; email?: string };

/** The strength of a password. `advice` says what is wrong and what to do; it is empty for an accepted password. */
export type Strength = { score: 0 | 1 | 2 | 3 | 4; advice: string };

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: {
    ...english.translations,
    warnings: {
      ...english.translations.warnings,
      userInputs: "Your name, your email and the name of this service are easy to guess.",
    },
  },
  maxLength: maxEstimated,
  // Limits the combinations of replaced letters ("p4$$w0rd") that are tried: the default of 100 takes three times as long.
  l33tMaxSubstitutions: 20,
});

/** Estimates how hard a password is to guess, from its first `maxEstimated` characters. */
export function estimate(password: string, owner: Owner = {}): Strength {
  const { score, feedback } = zxcvbn.check(password, wordsOf(owner));
  return { score, advice: score < minScore ? adviceFor(feedback.warning) : "" };
}

function adviceFor(warning: string | null): string {
  return `${warning ? `${warning} ` : ""}Use four or more random words, or let a password manager create a password.`;
}

/** Lists the words that an attacker who knows the owner would try first: `ada`, `lovelace`, `ada.lovelace`, `adalovelace` … */
function wordsOf({ name = "", email = "" }: Owner): string[] {
  const [local = "", domain = ""] = email.split("@");
  const known = [name, local, domain, domain.replace(/\.[^.]*$/, "")].flatMap((text) => {
    const parts = text.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2);
    return [text, ...parts, ...separators.map((separator) => parts.join(separator))];
  });
  return [...new Set(["svc", email, ...known])].filter(Boolean);
}

const separators = ["", " ", ".", "-", "_"];
