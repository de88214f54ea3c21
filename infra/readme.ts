// `npm run readme`: writes the README's generated parts anew.
import { readFileSync, writeFileSync } from "node:fs";
import { withGenerated } from "./readme-parts.ts";

const path = new URL("../README.md", import.meta.url);
writeFileSync(path, withGenerated(readFileSync(path, "utf8")));
