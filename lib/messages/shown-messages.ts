import type { MessageEntry } from "../schema/message-list.ts";
import { documentsByUid } from "../store/content/document-by-uid.ts";
import { digestUid } from "../store/messages/waiting-message.ts";
import type { WorkspaceRef } from "../store/refs.ts";
import type { ListedMessage } from "./list-messages.ts";

/** Messages as a reply shows them, with the present ids of their documents. */
export async function shownMessages(ref: WorkspaceRef, messages: readonly ListedMessage[]): Promise<MessageEntry[]> {
  const uids = messages.map(({ documentUid }) => documentUid).filter((uid) => uid !== digestUid && uid !== "");
  const documents = await documentsByUid(ref, uids);
  return messages.map((message) => ({
    messageId: message.messageId,
    channel: message.channel,
    organizationId: message.organizationId || null,
    documentId: documents.get(message.documentUid)?.documentId ?? null,
    userId: message.userId || null,
    events: message.events,
    createdAt: message.createdAt,
    state: message.state,
    attempts: message.attempts,
    lastAttemptAt: message.lastAttemptAt ?? null,
    nextAttemptAt: message.nextAttemptAt ?? null,
    error: message.error ?? null,
    causedBy: message.causedBy ?? null,
  }));
}
