type Content = string | number | boolean | { [name: string]: Content | Content[] };

/** Builds an XML document. A list repeats its element. Escapes values but not names, which are constants. */
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
      : escapeXml(`${content}`);
  return `<${name}>${inner}</${name}>`;
}

function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys may contain control characters, which S3 escapes like this.
  return text.replace(/[&<>"\u0000-\u001f]/g, (char) => `&#${char.charCodeAt(0)};`);
}
