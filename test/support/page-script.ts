// The scripts of infra/examples, and the code that pages of the documentation show.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./sources.ts";

const exampleText = (name: string): string => readFileSync(join(root, "infra/examples", name), "utf8");

/** The first code block of a language in a page; empty: it has none. */
export const codeIn = (page: string, language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(page)?.[1] ?? "";

/** An example for a server at `url` whose data is in `folder`. It runs in a project that has the client. */
export function scriptOf(name: string, { url, folder }: { url: string; folder: string }): string {
  return exampleText(name)
    .replace('"../../dist/client/index.js"', '"collaboration-backend-client"')
    .replace('"../../dist/client/webhooks.js"', '"collaboration-backend-client/webhooks"')
    .replaceAll(/"\.data\/([\w.]+)"/g, (_, name: string) => JSON.stringify(join(folder, name)))
    .replaceAll("http://127.0.0.1:8787", url);
}
