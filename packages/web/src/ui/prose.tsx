/** Renders text from the API document, with text in backticks as code. */
export function Prose({ text }: { text: string }) {
  return text
    .split("`")
    .map((part, at) => ({ part, key: `${at}`, code: at % 2 === 1 }))
    .map(({ part, key, code }) => (code ? <code key={key}>{part}</code> : part));
}
