/** `node import.ts <index.mjs>`: how many milliseconds it takes to import a bundle, in a process that has done nothing else. */
const [index = ""] = process.argv.slice(2);
const started = performance.now();
await import(index);
console.log(performance.now() - started);
process.exit();
