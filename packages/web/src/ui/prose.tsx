/** Words of the API's documents, in which what stands between backticks is code. */
export function Prose({ text }: { text: string }) {
  return text
    .split("`")
    .map((part, at) => ({ part, place: `${at}`, code: at % 2 === 1 }))
    .map(({ part, place, code }) => (code ? <code key={place}>{part}</code> : part));
}
