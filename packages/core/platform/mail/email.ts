import type { Email } from "./mail.ts";

export type Draft = {
  to: string;
  subject: string;
  /** Paragraphs of plain text; what people typed may stand in them. */
  paragraphs: readonly string[];
  /** The one thing to do. */
  link?: { label: string; url: string };
};

/** A letter in plain text and in HTML that say the same. Whatever people typed is escaped, and no line break reaches a header. */
export function compose({ to, subject, paragraphs, link }: Draft): Email {
  const text = [...paragraphs, ...(link ? [`${link.label}: ${link.url}`] : [])].join("\n\n");
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    ...(link ? [`<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`] : []),
  ].join("\n");
  return {
    to,
    subject: subject.replace(/[\r\n]+/g, " "),
    text: `${text}\n`,
    html: `<!doctype html>\n${html}\n`,
  };
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
