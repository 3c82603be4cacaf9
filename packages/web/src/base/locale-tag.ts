import { weekdayNames, weekStartOf } from "@svc/core/identity/profile/region";

/**
 * Reads and writes the language tags (BCP 47) in which profiles have the language, the hours and the first day of the week. The
 * Unicode extensions `hc` and `fw` say only what differs from the language: `de-CH`, `en-US-u-fw-mon-hc-h23`.
 */
export type Region = {
  /** The tag without the hours and the first day of the week. */
  language: string;
  hours: 12 | 24;
  /** 1 is Monday, 7 is Sunday. */
  weekStart: number;
};

/** Returns what a tag says, with the usual hours and first day of its language if it does not say them. */
export function readTag(tag: string): Region {
  return { language: languageOf(tag), hours: hoursOf(tag), weekStart: weekStartOf(tag) };
}

/** Returns the tag of a language with hours and a first day of the week. */
export function writeTag({ language, hours, weekStart }: Region): string {
  const keywords = [
    ...(weekStart === weekStartOf(language) ? [] : ["fw", weekdayNames[weekStart - 1]]),
    ...(hours === hoursOf(language) ? [] : ["hc", hours === 12 ? "h12" : "h23"]),
  ];
  if (keywords.length === 0) return language;
  const extension = `-u-${keywords.join("-")}`;
  return language.includes("-u-") ? language.replace("-u", extension) : language + extension;
}

function languageOf(tag: string): string {
  return tag.replace(/-(?:fw|hc)-\w+/g, "").replace(/-u(?=-\w(?:-|$)|$)/, "");
}

function hoursOf(tag: string): 12 | 24 {
  return hoursIn(new Intl.DateTimeFormat(tag, { hour: "numeric" }));
}

/** Returns the hours of a format of times. */
export function hoursIn(format: Intl.DateTimeFormat): 12 | 24 {
  const { hourCycle } = format.resolvedOptions();
  return hourCycle === "h11" || hourCycle === "h12" ? 12 : 24;
}
