// The metadata of a document is an item of its own: checks of access often read a hundred documents.
import { metadataBytesMax } from "../schema/document.ts";
import { withFields } from "./with-fields.ts";

export type Metadata = Record<string, unknown>;

/**
 * The stored text after a change, which is merged by key: null removes a key, or all. Undefined: the document has no
 * metadata. `isTooLarge`: the text has more than 8 KB.
 */
export function changedText(before: string | undefined, change: Metadata | null) {
  const all = change === null ? {} : withFields<Metadata>(JSON.parse(before ?? "{}"), change);
  const text = Object.keys(all).length === 0 ? undefined : JSON.stringify(all);
  return { text, isTooLarge: Buffer.byteLength(text ?? "") > metadataBytesMax };
}
