import satisfies from "spdx-satisfies";

/** A package of a lock file. */
export type Locked = { name: string; licence: string | undefined };

/** Licences that a dependency may have, as SPDX identifiers. */
export const allowed = [
  "0BSD",
  "Apache-2.0",
  "Artistic-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "CC-BY-3.0",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
  "WTFPL",
  "Zlib",
];

/** Only for libraries that are linked dynamically: libvips, which sharp loads. */
export const dynamicallyLinked = { licence: "LGPL-3.0-or-later", packages: /^@img\/sharp-/ };

/** Packages whose manifest names no SPDX licence, with the licence that their LICENSE file was read to be. */
export const readByHand: Record<string, string> = {
  // DejaVu: the Bitstream Vera licence, a permissive font licence.
  "dejavu-fonts-ttf": "MIT",
  // No field in the manifest; the README says MIT.
  "exif-parser": "MIT",
  // The manifest says "MIT/X11".
  nub: "MIT",
  // No field in the manifest; the LICENSE file is MIT.
  "png-js": "MIT",
};

/** Reads the packages that a lock file (version 3) installs from the registry. */
export function lockedPackages(lock: {
  packages: Record<string, { license?: string; link?: boolean }>;
}): Locked[] {
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && !link)
    .map(([path, { license }]) => ({ name: path.replace(/^.*node_modules\//, ""), licence: license }));
}

/** Returns a line for each package whose licence is not allowed or not known. */
export function violations(packages: readonly Locked[]): string[] {
  return packages
    .filter((locked) => !isAllowed(locked))
    .map(({ name, licence }) => `${name}: ${licence ?? "no licence"}`);
}

function isAllowed({ name, licence }: Locked): boolean {
  const expression = readByHand[name] ?? licence ?? "";
  const list = dynamicallyLinked.packages.test(name) ? [...allowed, dynamicallyLinked.licence] : allowed;
  try {
    return satisfies(expression, list);
  } catch {
    return false;
  }
}
