// Editors of the document `d`, and Yjs clients of them.
import * as Y from "yjs";
import { crdtAdd } from "../../functions/editor-content/crdt-add.ts";
import { crdtGet } from "../../functions/editor-content/crdt-get.ts";
import { crdtUpdate } from "../../functions/editor-content/crdt-update.ts";
import { merge } from "../../functions/workers/merge.ts";
import { mergeJob } from "../../lib/crdt/merge-job.ts";
import { wake } from "../../lib/jobs/wake.ts";
import * as Document from "../../lib/store/content/document.ts";
import * as Crdt from "../../lib/store/crdt/crdt.ts";
import type { DocumentUid } from "../../lib/store/refs.ts";
import { type Credentials, call, must } from "./call.ts";
import { receive } from "./run-worker.ts";
import { organizationId } from "./workspace.ts";

export const at = { organizationId, documentId: "d", editorId: "e" };
export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
export const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64"));

export const add = (as: Credentials, data: object) => call(crdtAdd, { as, data: { ...at, ...data } });
export const read = (as: Credentials, data: object = {}) => must(crdtGet, { as, data: { ...at, ...data } });
export const send = (as: Credentials, update: Uint8Array, data: object = {}) =>
  call(crdtUpdate, { as, data: { ...at, update: base64(update), ...data } });

/** The text of the editor for a Yjs client that loads it. */
export async function textOf(as: Credentials, data: object = {}): Promise<string> {
  const { update, contentKey } = await read(as, data);
  return loaded(update).getText(contentKey).toString();
}

/** A Yjs document that has loaded an update. */
export function loaded(update: string): Y.Doc {
  const document = new Y.Doc();
  Y.applyUpdate(document, bytes(update));
  return document;
}

/** The updates that a document has made since. */
export function updatesOf(document: Y.Doc): Uint8Array[] {
  const updates: Uint8Array[] = [];
  document.on("update", (update: Uint8Array, origin: unknown) => {
    if (origin !== "remote") updates.push(update);
  });
  return updates;
}

/** A client that types these texts at the end, one update each. */
export function typed(texts: readonly string[], from?: string): Uint8Array[] {
  const document = from === undefined ? new Y.Doc() : loaded(from);
  const updates = updatesOf(document);
  const text = document.getText("content");
  for (const each of texts) text.insert(text.length, each);
  return updates;
}

/** A number as in an update. */
export function varUint(number: number): number[] {
  const rest = Math.floor(number / 128);
  return rest === 0 ? [number] : [(number % 128) + 128, ...varUint(rest)];
}

/** An update with one deleted character of each of these clients: the shortest one of so many clients. */
export function ofClients(first: number, count: number): Uint8Array {
  const update = varUint(count);
  // Each has one struct, from clock 0, which is deleted and has the length 1.
  for (let client = first + count - 1; client >= first; client--) update.push(1, ...varUint(client), 0, 0, 1);
  update.push(0);
  return Uint8Array.from(update);
}

export async function refOf({ apiKey: workspace }: Credentials, editorId = "e"): Promise<Crdt.EditorRef> {
  const document = await Document.get({ workspace, organizationId, documentId: "d" });
  return { workspace, documentUid: document?.documentUid as DocumentUid, editorId };
}

export const editorOf = async (as: Credentials) => (await Crdt.get(await refOf(as))) as Crdt.Editor;

const jobOf = async (as: Credentials) =>
  mergeJob({ ...(await refOf(as)), generation: (await editorOf(as)).generation });

/** Runs the merge of the editor, whether or not it is due. */
export async function mergeNow(as: Credentials): Promise<void> {
  const job = await jobOf(as);
  await wake([job]);
  await receive(merge, [job.id]);
}

/** Runs the merge's job again, as far as it wants to. */
export async function mergeAgain(as: Credentials): Promise<void> {
  await receive(merge, [(await jobOf(as)).id]);
}
