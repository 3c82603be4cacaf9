/**
 * What is made from a part of the configuration, once for each value that the part has: a client, a prepared key. Reading
 * the environment at each call costs microseconds and leaves nothing behind that could be out of date.
 */
export function derived<Part extends object, Made>(read: () => Part, make: (part: Part) => Made): () => Made {
  let current: { of: string; made: Made } | undefined;
  return () => {
    const part = read();
    const of = JSON.stringify(part);
    if (current?.of !== of) current = { of, made: make(part) };
    return current.made;
  };
}
