type Content = string | number | boolean | { [name: string]: Content | Content[] };

/** An XML document of one element. A list repeats its element; names are ours, so only values are escaped. */
export function document(name: string, content: Content): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, content)}`;
}

function element(name: string, content: Content): string {
  const inner =
    typeof content === "object"
      ? Object.entries(content)
          .flatMap(([child, value]) =>
            (Array.isArray(value) ? value : [value]).map((each) => element(child, each)),
          )
          .join("")
      : escaped(`${content}`);
  return `<${name}>${inner}</${name}>`;
}

function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys may hold them, and S3 writes them so.
  return text.replace(/[&<>"\u0000-\u001f]/g, (char) => `&#${char.charCodeAt(0)};`);
}
