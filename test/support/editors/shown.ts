// The examples of lib/crdt/EDITORS.md, so that the tests run what its readers get.
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

/** The module infra/examples/sync.mjs, with the editor `e` of the document `d`. */
export async function syncOf(as: Credentials, doc: Y.Doc): Promise<Sync> {
  const { sync } = await import(/* @vite-ignore */ `${root}/infra/examples/sync.mjs`);
  const post = (path: string, data: object) => {
    const endpoint = endpoints.find((each) => each.path === path);
    if (!endpoint) throw new Error(`No endpoint has the path ${path}.`);
    return must(endpoint, { as, data });
  };
  return sync(doc, at, post);
}
