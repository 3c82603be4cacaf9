/** A value of the query string. A list is sent with commas, and undefined is left out. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;

/**
 * Fills the parameters of a path: `/projects/{id}` with `{ id: "prj_1" }` is `/projects/prj_1`. Throws `TypeError` for a missing
 * value, and for `.` and `..`, which would lead to another path.
 */
export function fillPath(path: string, values: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? "");
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`"${value}" is not a value for {${name}} of ${path}.`);
    return encodeURIComponent(value);
  });
}

/** Returns the query string with its `?`, or an empty string without parameters. */
export function queryString(parameters: Readonly<Record<string, QueryValue>> = {}): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text && `?${text}`;
}

/** Writes versions as a list of ETags, for If-Match and If-None-Match. Values that are ETags, and `*`, stay as they are. */
export function etags(versions: string | readonly string[]): string {
  return [versions]
    .flat()
    .map((version) => (version === "*" || version.startsWith('"') ? version : `"${version}"`))
    .join(", ");
}

/** Encodes a body: as a form if it has a file, otherwise as JSON. */
export function encodeBody(body: unknown): string | FormData | undefined {
  if (body === undefined || body instanceof FormData) return body;
  const members = Object.entries(body as object);
  if (!members.some(([, value]) => value instanceof Blob)) return JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of members) if (value !== undefined) form.append(name, value);
  return form;
}
