/** `node import.ts <index.mjs>`: prints how many milliseconds the import of a bundle takes in a fresh process. */
const [index = ""] = process.argv.slice(2);
const started = performance.now();
await import(index);
console.log(performance.now() - started);
process.exit();
