/** An entry of a lock file. */
type Locked = {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** The parts of a package-lock.json of version 3 that are used here. */
export type Lock = { lockfileVersion: number; packages: Record<string, Locked> };

/** Returns a lock file for a package that depends only on `name`, with the same versions. */
export function extractLock(lock: Lock, name: string): Lock {
  const version = lock.packages[`node_modules/${name}`]?.version;
  if (!version) throw new Error(`package-lock.json does not contain ${name}.`);
  const root = { name: `only-${name}`, version: "0.0.0", dependencies: { [name]: version } };
  return { lockfileVersion: lock.lockfileVersion, packages: { "": root, ...reachable(lock, "", [name]) } };
}

/** Returns the names of all direct and transitive runtime dependencies of these folders. */
export function packagesOf(lock: Lock, folders: readonly string[]): Set<string> {
  const paths = folders.flatMap((folder) =>
    Object.keys(reachable(lock, folder, Object.keys(lock.packages[folder]?.dependencies ?? {}))),
  );
  return new Set(paths.map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)));
}

function reachable(lock: Lock, from: string, names: readonly string[]): Record<string, Locked> {
  const found: Record<string, Locked> = {};
  const visit = (name: string, from: string) => {
    const nested = `${from}/node_modules/${name}`;
    const path = nested in lock.packages ? nested : `node_modules/${name}`;
    const locked = lock.packages[path];
    if (!locked || path in found) return;
    found[path] = locked;
    for (const next of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }))
      visit(next, path);
  };
  for (const name of names) visit(name, from);
  return found;
}
