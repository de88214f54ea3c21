// The scripts that pages of the documentation show.
import { join } from "node:path";

/** The first code block of a language in a page; empty: it has none. */
export const codeIn = (page: string, language: string): string =>
  new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(page)?.[1] ?? "";

/** The script of a page, for a server at `url` whose data is in `folder`. It runs in a project that has the client. */
export function scriptIn(page: string, { url, folder }: { url: string; folder: string }): string {
  return codeIn(page, "js")
    .replace('"./dist/client/index.js"', '"collaboration-backend-client"')
    .replace('"./dist/client/webhooks.js"', '"collaboration-backend-client/webhooks"')
    .replaceAll(/"\.data\/([\w.]+)"/g, (_, name: string) => JSON.stringify(join(folder, name)))
    .replaceAll("http://127.0.0.1:8787", url);
}
