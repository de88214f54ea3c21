// The examples of lib/crdt/EDITORS.md, so that the tests run what the page shows.
import { mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type * as Y from "yjs";
import { endpoints } from "../../../infra/deployables.ts";
import { type Credentials, must } from "../call.ts";
import { at } from "../crdt.ts";
import { documentText } from "../documents.ts";
import { root } from "../sources.ts";

const blocks = (language: string) =>
  [
    ...documentText("lib/crdt/EDITORS.md").matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, "gm")),
  ].map(([, code = ""]) => code);

export const [tiptapXml = "", prosemirrorXml = ""] = blocks("xml");

export interface Sync {
  load(): Promise<void>;
  send(): Promise<void>;
}

/** The page's module, with the editor `e` of the document `d`. */
export async function syncOf(as: Credentials, doc: Y.Doc): Promise<Sync> {
  const folder = `${root}/node_modules/.cache`;
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/editors-page-${process.pid}.mjs`;
  writeFileSync(file, blocks("js").join("\n"));
  const { sync } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const post = (path: string, data: object) => {
    const endpoint = endpoints.find((each) => each.path === path);
    if (!endpoint) throw new Error(`No endpoint has the path ${path}.`);
    return must(endpoint, { as, data });
  };
  return sync(doc, at, post);
}
