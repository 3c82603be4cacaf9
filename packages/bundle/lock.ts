type Locked = {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** A package-lock.json of version 3, as far as it is read here. */
export type Lock = { lockfileVersion: number; packages: Record<string, Locked> };

/** What of a lock file one package needs, as the lock file of a package that depends on nothing else. */
export function cut(lock: Lock, name: string): Lock {
  const version = lock.packages[`node_modules/${name}`]?.version;
  if (!version) throw new Error(`package-lock.json does not name ${name}.`);
  const root = { name: `only-${name}`, version: "0.0.0", dependencies: { [name]: version } };
  return { lockfileVersion: lock.lockfileVersion, packages: { "": root, ...reachable(lock, "", [name]) } };
}

/** The names of all packages that these folders of the repository depend on when they run, at any depth. */
export function packagesOf(lock: Lock, folders: readonly string[]): Set<string> {
  const paths = folders.flatMap((folder) =>
    Object.keys(reachable(lock, folder, Object.keys(lock.packages[folder]?.dependencies ?? {}))),
  );
  return new Set(paths.map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)));
}

function reachable(lock: Lock, from: string, names: readonly string[]): Record<string, Locked> {
  const found: Record<string, Locked> = {};
  const take = (name: string, from: string) => {
    const nested = `${from}/node_modules/${name}`;
    const path = nested in lock.packages ? nested : `node_modules/${name}`;
    const locked = lock.packages[path];
    if (!locked || path in found) return;
    found[path] = locked;
    for (const next of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }))
      take(next, path);
  };
  for (const name of names) take(name, from);
  return found;
}
