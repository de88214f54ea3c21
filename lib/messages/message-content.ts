/** The content of one message, before it is rendered for a channel. */
export interface MessageContent {
  messageId: string;
  reader: { userId: string; name?: string | undefined };
  workspaceName?: string | undefined;
  document: { documentId: string; name?: string | undefined; url?: string | undefined };
  /** In the order of the events. */
  entries: MessageEntry[];
  /** Further entries that are not shown. */
  moreCount: number;
  /** The parts about further documents. Only a digest has them. */
  others?: Pick<MessageContent, "document" | "entries" | "moreCount">[] | undefined;
  /** Groups the messages about one annotation. */
  threadId: string;
  /** The links that end these messages. Only an e-mail has them. */
  unsubscribe?: { document: string; organization: string } | undefined;
}

export interface AnnotationEntry {
  kind: "annotation";
  event: string;
  at: string;
  actorName: string;
  annotationId: string;
  /** The comment's text as it is now, or what the event has set; plain text. */
  text?: string | undefined;
  /** The comment's text has changed since the event. */
  isEdited?: boolean;
  isPersonal: boolean;
}

export type MessageEntry =
  | AnnotationEntry
  | { kind: "notification"; at: string; actorName: string; headline?: string | undefined; text?: string | undefined };
