// The common parts of e-mails, Slack messages and template data.
import type { AnnotationEntry, MessageContent, MessageEntry } from "../message-content.ts";
import { plainText, type Sentence, sentenceOf } from "./sentence.ts";
import { isolated, lines, oneLine } from "./user-text.ts";

export interface Part extends Sentence {
  /** ISO 8601. */
  at: string;
}

/** The updates of one document. */
export interface Section {
  documentName: string;
  url: string | undefined;
  entries: Part[];
  /** Updates that are not shown. */
  moreCount: number;
}

export interface Parts {
  /** The title of the whole message, on one line of at most 400 characters. */
  title: string;
  sections: Section[];
  /** Documents that have no section, and their updates. */
  rest: { documents: number; updates: number };
  /** The message tells more than one event, so each has its time. */
  hasTimes: boolean;
}

interface Size {
  sectionsMax: number;
  entriesMax: number;
  /** Most characters of all quotes together. */
  quotedCharactersMax: number;
}

const documentNameMax = 80;
const quoteMax = 2_000;

export function partsOf(message: MessageContent, { sectionsMax, entriesMax, quotedCharactersMax }: Size): Parts {
  const all = documentsIn(message);
  const count = all.reduce((sum, { entries }) => sum + entries.length, 0);
  const share = Math.min(quoteMax, Math.floor(quotedCharactersMax / Math.max(Math.min(count, entriesMax), 1)));
  let left = entriesMax;
  const sections = all.slice(0, sectionsMax).map(({ document, entries, moreCount }): Section => {
    const shown = entries.slice(0, left);
    left -= shown.length;
    return {
      documentName: nameOf(document),
      url: document.url,
      entries: shown.map((entry) => partOf(entry, share)),
      moreCount: moreCount + entries.length - shown.length,
    };
  });
  const rest = { documents: all.length - sections.length, updates: countOf(all.slice(sectionsMax)) };
  return { title: titleOf(message), sections, rest, hasTimes: count > 1 };
}

function partOf(entry: MessageEntry, quotedCharactersMax: number): Part {
  const { pieces, quote } = sentenceOf(entry);
  return { at: entry.at, pieces, quote: lines(quote ?? "", quotedCharactersMax) || undefined };
}

const nameOf = ({ name, documentId }: MessageContent["document"]) =>
  oneLine(name ?? "", documentNameMax) || oneLine(documentId, documentNameMax) || "the document";

/** `Alice mentioned you on Plan`, `3 updates on Plan`, `Alice mentioned you on Plan, and 2 more updates`. */
function titleOf(message: MessageContent): string {
  const all = documentsIn(message);
  const count = countOf(all);
  if (all.length > 1) return `${updates(count)} on ${all.length} documents`;
  const { entries } = all[0] as DocumentEntries;
  const document = isolated(nameOf(message.document));
  const [first] = entries;
  const named = count === 1 ? first : entries.find((entry) => entry.kind === "annotation" && entry.isPersonal);
  if (!named) return `${updates(count)} on ${document}`;
  const rest = count === 1 ? "" : `, and ${updates(count - 1, "more ")}`;
  return `${titleOfEntry(named, document)}${rest}`;
}

function titleOfEntry(entry: MessageEntry, document: string): string {
  const sentence = plainText(sentenceOf(entry).pieces);
  if (entry.kind === "annotation" || !entry.headline) return `${sentence} on ${document}`;
  return sentence.includes(document) ? sentence : `${sentence} – ${document}`;
}

export const updates = (count: number, more = ""): string => `${count} ${more}update${count === 1 ? "" : "s"}`;

/** For example `And 12 updates on 3 more documents.`; absent if all documents have a section. */
export function restOf({ rest: { documents, updates: count } }: Parts): string[] {
  return documents === 0 ? [] : [`And ${updates(count)} on ${documents} more document${documents === 1 ? "" : "s"}.`];
}

/** Why the reader gets the message, and, if it has no links for that, how such messages end. */
export function reasonOf(message: MessageContent, { hasEndings }: { hasEndings: boolean }): string {
  const entries = documentsIn(message).flatMap((each) => each.entries);
  const sender = oneLine(message.workspaceName ?? "", documentNameMax);
  const from = sender ? ` from ${isolated(sender)}` : "";
  const ending = hasEndings ? "" : " To get fewer, change your notification settings.";
  return `You get this message${from} because ${causeOf(entries)}.${ending}`;
}

function causeOf(entries: readonly MessageEntry[]): string {
  if (entries.some((entry) => entry.kind === "annotation" && entry.isPersonal))
    return "you were mentioned, or something was assigned to you";
  if (entries.every(({ kind }) => kind === "notification")) return "a notification was sent to you";
  return "you take part in a thread, or chose to be told of all activity";
}

/** The links that end these e-mails; first the one for one click. A digest is about more than its first document. */
export function endingsOf({ unsubscribe, others }: MessageContent): { text: string; url: string }[] {
  if (!unsubscribe) return [];
  const { document, organization } = unsubscribe;
  const ofDocument = { text: "Stop e-mails about this document", url: document };
  return [...(others ? [] : [ofDocument]), { text: "Stop all e-mails of this organization", url: organization }];
}

const time = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** For example `24 Nov, 02:19 UTC`. */
export const timeOf = (at: string): string => `${time.format(new Date(at))} UTC`;

type DocumentEntries = Pick<MessageContent, "document" | "entries" | "moreCount">;

export function documentsIn({ document, entries, moreCount, others = [] }: MessageContent): DocumentEntries[] {
  return [{ document, entries, moreCount }, ...others].map((each) => ({ ...each, entries: distinctOf(each.entries) }));
}

const countOf = (all: readonly DocumentEntries[]): number =>
  all.reduce((sum, { entries, moreCount }) => sum + entries.length + moreCount, 0);

/** A call can start a thread with its first comment. This is one update, unless the thread is assigned too. */
function distinctOf(entries: readonly MessageEntry[]): MessageEntry[] {
  const nameOf = (entry: MessageEntry) => entry.kind === "annotation" && JSON.stringify([entry.annotationId, entry.at]);
  const comments = new Set(entries.filter((each) => isEvent(each, "comment.add")).map(nameOf));
  return entries.filter(
    (each) => !(isEvent(each, "comment_annotation.add") && !each.isPersonal && comments.has(nameOf(each))),
  );
}

function isEvent(entry: MessageEntry, event: string): entry is AnnotationEntry {
  return entry.kind === "annotation" && entry.event === event;
}
