// Marks a document and a user for a page that listens (DECISIONS.md#live).
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import { writeAll } from "../dynamodb/write-each.ts";
import * as User from "../store/access/user.ts";
import * as Document from "../store/content/document.ts";
import { seqOf } from "../store/listening.ts";
import type { DocumentDataRef, DocumentRef, UserRef } from "../store/refs.ts";
import { existingDocument } from "./existing.ts";

/** Returns the document's internal id, and the number of its last message: every later one reaches the page. */
export async function listenTo(ref: DocumentRef): Promise<DocumentDataRef & { seq: number }> {
  const documentUid = await retryOnConflict("document", async () => {
    const document = await existingDocument(ref);
    const write = Document.listening(ref, document);
    return write && !(await writeAll([write])) ? conflict : document.documentUid;
  });
  const data = { workspace: ref.workspace, documentUid };
  return { ...data, seq: await seqOf(data) };
}

/** Without an item, a user gets no notifications. */
export async function listenFor(ref: UserRef, user: User.User | undefined): Promise<void> {
  const write = user && User.listening(ref, user);
  if (write) await writeAll([write]);
}
