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

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Replaces the character references of a text in an XML document. */
export function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hexadecimal, decimal, name) =>
    name
      ? (entities[name] ?? whole)
      : String.fromCodePoint(Number.parseInt(hexadecimal ?? decimal, hexadecimal ? 16 : 10)),
  );
}
