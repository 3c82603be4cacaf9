import type { Profile } from "@svc/client";
import { readTag } from "../../base/locale-tag.ts";
import type { Part } from "../../base/versions.ts";
import { weekdays } from "../workspace/workspace-settings.ts";
import { profileMessages, preferenceMessages as text } from "./settings-messages.ts";

/** Returns the name of a language in the language itself. */
export function nativeName(language: string): string {
  const { baseName } = new Intl.Locale(language);
  const name = new Intl.DisplayNames([baseName], { type: "language" }).of(baseName) ?? baseName;
  return name.charAt(0).toLocaleUpperCase(baseName) + name.slice(1);
}

/** The parts of a profile that people compare. */
export const profileParts: Part<Profile>[] = [
  { label: profileMessages.name, names: ["name"], show: ({ name }) => name },
  { label: profileMessages.jobTitle, names: ["title"], show: ({ title }) => title },
  { label: profileMessages.phone, names: ["phone"], show: ({ phone }) => phone },
  {
    label: text.locale,
    names: ["locale"],
    show: ({ locale }) => {
      const { language, hours, weekStart } = readTag(locale);
      return text.region(nativeName(language), text.hoursOf(hours), weekdays()[weekStart - 1] ?? "");
    },
  },
  { label: text.timezone, names: ["timezone"], show: ({ timezone }) => timezone.replaceAll("_", " ") },
  { label: text.dateFormat, names: ["dateFormat"], show: ({ dateFormat }) => dateFormat },
];
