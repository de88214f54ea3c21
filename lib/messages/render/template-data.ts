// The values for a dynamic template of SendGrid (functions/collaboration/MESSAGES.md#templates). All are plain text: a
// template shows them with `{{name}}`, which escapes HTML.
import type { Digest } from "../digest.ts";
import { partsOf } from "./parts.ts";
import { plainText } from "./sentence.ts";
import { oneLine } from "./user-text.ts";

/** A value that is not known is an empty string, so `{{#if documentUrl}}` works. */
export interface TemplateData {
  /** As in `Alice mentioned you on Plan`; one line. */
  subject: string;
  readerName: string;
  workspaceName: string;
  documentId: string;
  documentName: string;
  documentUrl: string;
  /** Of the first update; `text` has line breaks. */
  actorName: string;
  sentence: string;
  text: string;
  at: string;
  /** Of all updates, the first one included; at most 50. */
  updates: { actorName: string; sentence: string; text: string; at: string }[];
  updateCount: string;
  /** Updates that are not in `updates`; empty: none. */
  moreCount: string;
  unsubscribeDocumentUrl: string;
  unsubscribeOrganizationUrl: string;
}

const size = { entriesMax: 50, quotedCharactersMax: 14_000 };
const nameMax = 200;

export function templateDataOf(digest: Digest): TemplateData {
  const { reader, workspaceName, document, entries, unsubscribe } = digest;
  const parts = partsOf(digest, size);
  const updates = parts.entries.map(({ pieces, quote, at }, index) => {
    const actorName = oneLine(entries[index]?.actorName ?? "", nameMax);
    return { actorName, sentence: plainText(pieces), text: quote ?? "", at };
  });
  const first = updates[0] ?? { actorName: "", sentence: "", text: "", at: "" };
  return {
    ...first,
    subject: parts.title,
    readerName: oneLine(reader.name ?? reader.userId, nameMax),
    workspaceName: oneLine(workspaceName ?? "", nameMax),
    documentId: oneLine(document.documentId, nameMax),
    documentName: parts.documentName,
    documentUrl: document.url ?? "",
    updates,
    updateCount: String(entries.length + digest.moreCount),
    moreCount: parts.moreCount > 0 ? String(parts.moreCount) : "",
    unsubscribeDocumentUrl: unsubscribe?.document ?? "",
    unsubscribeOrganizationUrl: unsubscribe?.organization ?? "",
  };
}
