import { writeFile } from "node:fs/promises";
import { current } from "./current.ts";

/** `npm run openapi`: writes the document that GET /openapi.json returns. A test fails while it is out of date. */
await writeFile(new URL("document.json", import.meta.url), `${JSON.stringify(await current(), null, 2)}\n`);
