/** Peers that only `npm run bench` installs. Without their types, the benchmarks are still checked against our own modules. */
declare module "@jsquash/jpeg";
declare module "@jsquash/jpeg/*";
declare module "@jsquash/resize";
declare module "@jsquash/webp";
declare module "@jsquash/webp/*";
declare module "@napi-rs/image";
declare module "@silvia-odwyer/photon-node";
declare module "aws4";
declare module "better-auth";
declare module "better-auth/db/migration";
declare module "better-auth/node";
declare module "jimp";
declare module "lighthouse";
declare module "minio";

/** A global of Node whose values @types/node does not declare. */
declare namespace WebAssembly {
  function compile(bytes: Uint8Array): Promise<Module>;
}
