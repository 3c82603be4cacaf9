import { Fragment, type ReactNode } from "react";

/**
 * Renders a sentence with markup, such as `Open <link>your settings</link>.`: `marks` renders the text between the tags of each
 * name. A sentence stays whole in messages.ts, so that a translation can move its parts. Tags are not nested.
 */
export function RichText({
  text,
  marks,
}: {
  text: string;
  marks: Readonly<Record<string, (text: string) => ReactNode>>;
}) {
  // With two groups, `split` returns the text before a tag, its name and its text in turn.
  const parts = text.split(/<(\w+)>(.*?)<\/\1>/);
  return parts.map((part, at) => {
    if (at % 3 === 1) return null;
    const mark = at % 3 === 2 ? marks[parts[at - 1] ?? ""] : undefined;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence do not move
    return <Fragment key={at}>{mark ? mark(part) : part}</Fragment>;
  });
}

/** Renders the text of `<strong>` in a sentence. */
export const strong = (text: string) => <strong>{text}</strong>;

/** Renders the text of `<code>` in a sentence. */
export const code = (text: string) => <code>{text}</code>;
