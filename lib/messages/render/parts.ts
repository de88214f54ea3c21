// What e-mails, Slack messages and template data have in common.
import type { Digest, DigestEntry } from "../digest.ts";
import { plainText, type Sentence, sentenceOf } from "./sentence.ts";
import { isolated, lines, oneLine } from "./user-text.ts";

export interface Part extends Sentence {
  /** ISO 8601. */
  at: string;
}

export interface Parts {
  documentName: string;
  /** The title of the whole message, on one line of at most 400 characters. */
  title: string;
  entries: Part[];
  /** Updates that are not shown. */
  moreCount: number;
}

interface Size {
  entriesMax: number;
  /** Of all quotes together. */
  quotedCharactersMax: number;
}

const documentNameMax = 80;
const quoteMax = 2_000;

export function partsOf(digest: Digest, { entriesMax, quotedCharactersMax }: Size): Parts {
  const shown = digest.entries.slice(0, entriesMax);
  const share = Math.min(quoteMax, Math.floor(quotedCharactersMax / Math.max(shown.length, 1)));
  const entries = shown.map((entry) => {
    const { pieces, quote } = sentenceOf(entry);
    return { at: entry.at, pieces, quote: lines(quote ?? "", share) || undefined };
  });
  const moreCount = digest.moreCount + digest.entries.length - shown.length;
  return { documentName: documentNameOf(digest), title: titleOf(digest), entries, moreCount };
}

const documentNameOf = ({ document: { name, documentId } }: Digest) =>
  oneLine(name ?? "", documentNameMax) || oneLine(documentId, documentNameMax) || "the document";

/** `Alice mentioned you on Plan`, `3 updates on Plan`, `Alice mentioned you on Plan, and 2 more updates`. */
function titleOf(digest: Digest): string {
  const { entries, moreCount } = digest;
  const count = entries.length + moreCount;
  const document = isolated(documentNameOf(digest));
  const [first] = entries;
  const told = count === 1 ? first : entries.find((entry) => entry.kind === "annotation" && entry.isPersonal);
  if (!told) return `${updates(count)} on ${document}`;
  const rest = count === 1 ? "" : `, and ${updates(count - 1, "more ")}`;
  return `${titleOfEntry(told, document)}${rest}`;
}

function titleOfEntry(entry: DigestEntry, document: string): string {
  const sentence = plainText(sentenceOf(entry).pieces);
  if (entry.kind === "annotation" || !entry.headline) return `${sentence} on ${document}`;
  return sentence.includes(document) ? sentence : `${sentence} – ${document}`;
}

export const updates = (count: number, more = ""): string => `${count} ${more}update${count === 1 ? "" : "s"}`;

/** Why the reader gets the message, and, if it has no links for that, how such messages end. */
export function reasonOf({ entries, workspaceName }: Digest, { hasEndings }: { hasEndings: boolean }): string {
  const sender = oneLine(workspaceName ?? "", documentNameMax);
  const from = sender ? ` from ${isolated(sender)}` : "";
  const ending = hasEndings ? "" : " To get fewer, change your notification settings.";
  return `You get this message${from} because ${causeOf(entries)}.${ending}`;
}

function causeOf(entries: readonly DigestEntry[]): string {
  if (entries.some((entry) => entry.kind === "annotation" && entry.isPersonal))
    return "you were mentioned, or something was assigned to you";
  if (entries.every(({ kind }) => kind === "notification")) return "a notification was sent to you";
  return "you take part in a thread, or chose to be told of all activity";
}

/** The links that end these e-mails. */
export function endingsOf({ unsubscribe }: Digest): { text: string; url: string }[] {
  if (!unsubscribe) return [];
  const { document, organization } = unsubscribe;
  return [
    { text: "Stop e-mails about this document", url: document },
    { text: "Stop all e-mails of this organization", url: organization },
  ];
}

const time = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** As in `24 Nov, 02:19 UTC`. */
export const timeOf = (at: string): string => `${time.format(new Date(at))} UTC`;
