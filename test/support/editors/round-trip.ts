// Two clients with one editor each: what one loads, changes and sends, the other one loads.
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import * as Y from "yjs";
import type { Credentials } from "../call.ts";
import { add, mergeNow, read } from "../crdt.ts";
import { untilHolds } from "../turns.ts";
import { syncOf } from "./shown.ts";

/** An open editor, which shows its content as a value. */
export interface OpenEditor {
  shown(): unknown;
}

/** Opens an editor that is bound to the document. */
export type Open<E extends OpenEditor> = (doc: Y.Doc, contentKey: string) => E;

export interface RoundTrip<E extends OpenEditor> {
  content: { type: string; data: unknown; contentKey: string };
  open: Open<E>;
  /** What the editor shows of the content. */
  expected: unknown;
  edit(editor: E): void;
  editByOther(editor: E): void;
}

/** Returns what crdt/get has in the end. */
export async function roundTrip<E extends OpenEditor>(as: Credentials, trip: RoundTrip<E>): Promise<unknown> {
  const { content, open, expected, edit, editByOther } = trip;
  const { contentKey, type } = content;
  expect((await add(as, content)).error).toBeUndefined();
  const client = async () => {
    const doc = new Y.Doc();
    const sync = await syncOf(as, doc);
    await sync.load();
    return { sync, editor: open(doc, contentKey) };
  };
  const one = await client();
  await untilHolds(() => isDeepStrictEqual(one.editor.shown(), expected));
  edit(one.editor);
  await one.sync.send();
  const other = await client();
  await untilHolds(() => isDeepStrictEqual(other.editor.shown(), one.editor.shown()));
  expect(other.editor.shown()).not.toEqual(expected);
  await mergeNow(as);
  editByOther(other.editor);
  await other.sync.send();
  await one.sync.load();
  expect(one.editor.shown()).toEqual(other.editor.shown());
  // What crdt/get prints is the same content when it is added as another editor.
  const { data } = await read(as);
  expect((await add(as, { editorId: "copy", type, data, contentKey })).error).toBeUndefined();
  expect((await read(as, { editorId: "copy" })).data).toEqual(data);
  return data;
}
