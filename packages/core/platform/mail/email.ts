import type { Email } from "./mail.ts";

/** The content of an email. */
export type Draft = {
  to: string;
  /** The subject and the paragraphs are plain text, which may include user input. */
  subject: string;
  paragraphs: readonly string[];
  /** A button for the next step, such as Reset password. */
  link?: { label: string; url: string };
};

/**
 * Returns an email as plain text and HTML. Only `link` can be clicked: mail programs turn URLs in text into links, so names
 * that users chose could lead readers to another site. The subject and each paragraph are one line each.
 */
export function compose({ to, subject, paragraphs, link }: Draft): Email {
  const lines = paragraphs.map(inert);
  const text = [...lines, ...(link ? [`${link.label}: ${link.url}`] : [])].join("\n\n");
  const html = [
    ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
    ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []),
  ].join("\n");
  return {
    to,
    subject: inert(subject),
    text: `${text}\n`,
    html: `<!doctype html>\n${html}\n`,
  };
}

/**
 * Returns text on one line without anything that a mail program turns into a link: `https://a.test` becomes
 * `https[:]//a[.]test`, the usual notation for harmless URLs. Removes characters that change the direction of text.
 */
function inert(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/:(?=\/\/)/g, "[:]")
    .replace(/(?<=[\p{L}\p{M}\p{N}\p{Cf}])[.。．｡](?=[\p{L}\p{M}\p{Cf}]{2})/gu, "[.]")
    .replace(/(?<=\bwww)\./gi, "[.]");
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
