import { writeFile } from "node:fs/promises";
import { current } from "./current.ts";

/** `npm run openapi`: write the document that GET /openapi.json serves. A test fails while it is out of date. */
await writeFile(new URL("document.json", import.meta.url), `${JSON.stringify(await current(), null, 2)}\n`);
