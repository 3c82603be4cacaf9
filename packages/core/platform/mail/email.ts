import type { Email } from "./mail.ts";

/** The content of an email. */
export type Draft = {
  to: string;
  subject: string;
  /** Paragraphs of plain text, which may include user input. */
  paragraphs: readonly string[];
  /** A button for the next step, such as Reset password. */
  link?: { label: string; url: string };
};

/** Returns an email as plain text and HTML. Escapes user input in HTML and removes line breaks from the subject. */
export function compose({ to, subject, paragraphs, link }: Draft): Email {
  const text = [...paragraphs, ...(link ? [`${link.label}: ${link.url}`] : [])].join("\n\n");
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []),
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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
