// The types of live documents and inboxes, as a page sees them. Those of the items come from the OpenAPI document.
import type { ShownDocument } from "./document.ts";
import type { InboxPage } from "./inbox.ts";
import type { Heard, Status } from "./store.ts";

/** What React's `useSyncExternalStore` and its like take. */
export interface Live<Shown> {
  /**
   * Calls back when something has changed: one function for all, or one for each part, which then gets its value. Only
   * parts that somebody looks at are read. Returns what ends it. A second after the last one, the connection closes.
   */
  readonly subscribe: (heard: Heard<Shown>) => () => void;
  /** The state now: the same object until something changes. */
  readonly getSnapshot: () => Shown;
}

export interface DocumentTypes {
  thread: unknown;
  reaction: unknown;
  user: unknown;
  location: unknown;
  newThread: { comments?: unknown };
  newComment: unknown;
  newReaction: unknown;
  threadUpdate: unknown;
  commentUpdate: unknown;
}

type WithOptional<Fields, Name extends string> = Omit<Fields, Name> & { [Each in Name & keyof Fields]?: Fields[Each] };

/** A write of the page. It is shown at once. */
interface Written {
  /** Resolves when it is stored. Rejects when it is rolled back. */
  done: Promise<void>;
}

type Shown<Types extends DocumentTypes> = Omit<ShownDocument, "comments" | "reactions" | "presence"> & {
  /** The comment annotations, the oldest first. */
  comments: readonly Types["thread"][] | undefined;
  reactions: readonly Types["reaction"][] | undefined;
  /** The users who are there. */
  presence: readonly Types["user"][] | undefined;
};

/**
 * A document as it is now. Writes are shown before they are stored, and are sent again with the same idempotency key after
 * a lost connection. `writes` of the state says what is pending, and which one was rolled back, and why.
 */
export interface LiveDocument<Types extends DocumentTypes = DocumentTypes> extends Live<Shown<Types>> {
  /** Adds a thread with its first comment. */
  addThread(
    location: Types["location"],
    thread: WithOptional<Omit<Types["newThread"], "comments">, "annotationId"> & {
      comment: WithOptional<Types["newComment"], "commentId">;
    },
  ): Written & { annotationId: string; commentId: string };
  /**
   * Changes the status, priority or assignment, or the metadata of an own thread; null clears a field. The status
   * RESOLVED resolves a thread.
   */
  updateThread(annotationId: string, update: Types["threadUpdate"]): Promise<void>;
  deleteThread(annotationId: string): Promise<void>;
  addComment(
    annotationId: string,
    comment: WithOptional<Types["newComment"], "commentId">,
  ): Written & { annotationId: string; commentId: string };
  editComment(annotationId: string, commentId: string, update: Types["commentUpdate"]): Promise<void>;
  deleteComment(annotationId: string, commentId: string): Promise<void>;
  addReaction(
    location: Types["location"],
    reaction: WithOptional<Types["newReaction"], "reactionId">,
  ): Written & { reactionId: string };
  deleteReaction(reactionId: string): Promise<void>;
  /**
   * Shares a field with the other pages, such as a cursor or who types. null ends it. Nobody stores it. All fields have up
   * to 4 KB of JSON together: more throws a RangeError. A page sends at most four times a second, less often among more
   * than 16 pages, and only while others are there.
   */
  share(name: string, value: unknown): void;
}

/** The user's newest notifications in an organization. */
export interface LiveInbox<Page = InboxPage> extends Live<{ status: Status; notifications: Page | undefined }> {
  /** Marks notifications as read; without ids, all. It is shown at once. */
  read(notificationIds?: readonly string[]): Promise<void>;
  /** Deletes notifications from the inbox. It is shown at once. */
  delete(notificationIds: readonly string[]): Promise<void>;
}
