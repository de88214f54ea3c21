// Whether pages listen to a document or a user (DECISIONS.md#live). The item that a call reads anyway says so. So a
// change to which nobody listens costs nothing.
import { currentCall } from "../call.ts";
import { entity } from "../dynamodb/entity.ts";
import * as Table from "../dynamodb/table.ts";
import { tryUpdate } from "../dynamodb/try-update.ts";
import { type DocumentDataRef, type DocumentRef, documentDataPartition } from "./refs.ts";

/** Attributes of the items of documents and users. */
export interface Listened {
  /** Until when pages listen, Unix seconds. Absent: none has. */
  listenedUntil?: number | undefined;
}

/** A page renews its ticket after two minutes, and it counts for three. */
const listenedSeconds = 300;
const renewedBelowSeconds = 180;

/** The new time, if the stored one must move: pages of one document write it about once in two minutes together. */
export function renewed({ listenedUntil = 0 }: Listened, now = Date.now()): number | undefined {
  const seconds = Math.floor(now / 1_000);
  return listenedUntil < seconds + renewedBelowSeconds ? seconds + listenedSeconds : undefined;
}

/** Whether pages listen now. */
export const isListened = ({ listenedUntil = 0 }: Listened) => Date.now() < listenedUntil * 1_000;

const documentName = ({ organizationId, documentId }: DocumentRef) => JSON.stringify([organizationId, documentId]);

/** Notes for the running call that pages listen to the document. `stored`: its item. */
export function noteDocument(
  ref: DocumentRef,
  { documentUid, ...stored }: Listened & Pick<DocumentDataRef, "documentUid">,
) {
  if (isListened(stored)) currentCall()?.listened.set(documentName(ref), documentUid);
}

/** Where the changes of a document go, if pages listen to it. */
export function listenedDocument(ref: DocumentRef): DocumentDataRef | undefined {
  const documentUid = currentCall()?.listened.get(documentName(ref));
  return documentUid === undefined ? undefined : ({ workspace: ref.workspace, documentUid } as DocumentDataRef);
}

export const isListenedTo = (ref: DocumentRef): boolean => listenedDocument(ref) !== undefined;

export const listeningEntity = entity<{ seq: number }>()({
  name: "listening",
  attributes: ["seq"],
  pk: (ref: DocumentDataRef) => documentDataPartition(ref),
  sk: () => "LIVE",
});

/** The number of the last message that was reserved. */
export async function seqOf(ref: DocumentDataRef): Promise<number> {
  return (await Table.get<{ seq: number }>(listeningEntity.key(ref)))?.seq ?? 0;
}

/** Reserves the numbers of messages. Returns the last one. A number that is never used makes pages read again. */
export async function reserve(ref: DocumentDataRef, count: number): Promise<number> {
  const write = { ...listeningEntity.update(ref, {}), add: { seq: count } };
  const stored = await tryUpdate<{ seq: number }>(write, { isRepeatable: true });
  return stored?.seq ?? count;
}
