// Updates the generated parts of the documents (`npm run update`).
import { readFileSync, writeFileSync } from "node:fs";
import { documents, withGenerated } from "./readme/parts.ts";

for (const document of documents) {
  const path = new URL(`../${document}`, import.meta.url);
  writeFileSync(path, withGenerated(readFileSync(path, "utf8")));
}
