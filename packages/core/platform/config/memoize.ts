/**
 * Returns a function that makes a value from a part of the configuration and remakes it only when that part changes. Use it
 * for clients and derived keys. Reading the environment at each call costs microseconds and never returns a stale value.
 */
export function memoizeByConfig<Part extends object, Value>(
  read: () => Part,
  make: (part: Part) => Value,
): () => Value {
  let current: { key: string; value: Value } | undefined;
  return () => {
    const part = read();
    const key = JSON.stringify(part);
    if (current?.key !== key) current = { key, value: make(part) };
    return current.value;
  };
}
