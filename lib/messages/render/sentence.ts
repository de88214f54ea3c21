// The sentence that tells one event. Each word of a user is a piece of its own, so that a channel can mark it.
import type { AnnotationEntry, MessageEntry } from "../message-content.ts";
import { isolated, oneLine } from "./user-text.ts";

export type Piece = string | { user: string; isActor?: true };

export interface Sentence {
  pieces: Piece[];
  /** The text of the event's comment or notification; plain text with line breaks. */
  quote?: string | undefined;
}

const nameMax = 60;
const valueMax = 60;
const headlineMax = 200;

export function sentenceOf(entry: MessageEntry): Sentence {
  const actor = { user: oneLine(entry.actorName, nameMax) || "Someone", isActor: true } as const;
  if (entry.kind === "notification") {
    const headline = oneLine(entry.headline ?? "", headlineMax);
    return { pieces: headline ? [{ user: headline }] : [actor, " sent you a notification"], quote: entry.text };
  }
  const value = oneLine(entry.text ?? "", valueMax) || (entry.text ? "…" : "");
  const change = value ? changesOf[entry.event]?.(value, entry) : undefined;
  if (change) return { pieces: [actor, ...change] };
  const did = (entry.isPersonal ? personalVerbs[entry.event] : undefined) ?? verbs[entry.event] ?? "made a change";
  return {
    pieces: [actor, ` ${did}${entry.isEdited ? " (edited since)" : ""}`],
    quote: entry.event in changesOf ? undefined : entry.text,
  };
}

/**
 * `IN_PROGRESS` becomes `In progress`. Other texts stay: short constants such as `P1` or `QA`, and a stored text with
 * hidden characters, which is another value.
 */
const inWords = (value: string, { text }: AnnotationEntry): Piece => {
  const isConstant = value === text && /^(?:[A-Z]{3,}|[A-Z]+(?:_[A-Z]+)+)$/.test(value);
  return { user: isConstant ? value.charAt(0) + value.slice(1).toLowerCase().replaceAll("_", " ") : value };
};

/** Events whose text is a new value. */
const changesOf: Partial<Record<string, (value: string, entry: AnnotationEntry) => Piece[]>> = {
  "comment_annotation.status_change": (status, entry) =>
    entry.text === "RESOLVED" ? [" resolved a thread"] : [" changed the status to “", inWords(status, entry), "”"],
  "comment_annotation.priority_change": (priority, entry) => [" set the priority to “", inWords(priority, entry), "”"],
  "comment_annotation.assign": (user, { isPersonal }) =>
    isPersonal ? [" assigned a thread to you"] : [" assigned a thread to ", { user }],
};

const verbs: Partial<Record<string, string>> = {
  "comment.add": "commented",
  "comment.update": "edited a comment",
  "comment.delete": "deleted a comment",
  "comment_annotation.add": "started a thread",
  "comment_annotation.update": "updated a thread",
  "comment_annotation.delete": "deleted a thread",
  // The sentence without a new value.
  "comment_annotation.status_change": "cleared the status",
  "comment_annotation.priority_change": "cleared the priority",
  "comment_annotation.assign": "removed the assignee of a thread",
};

/** The sentence of an event that mentions the reader, or assigns something to the reader. */
const personalVerbs: Partial<Record<string, string>> = {
  "comment.add": "mentioned you",
  "comment.update": "mentioned you in an edited comment",
  "comment_annotation.add": "started a thread and assigned it to you",
};

/** The sentence as plain text, on one line. */
export const plainText = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === "string" ? piece : isolated(piece.user))).join("");

/** Whether the sentence ends with a full stop or the like. */
export const endsSentence = (pieces: readonly Piece[]): boolean => /[.!?…。؟]\u2069?$/.test(plainText(pieces));
