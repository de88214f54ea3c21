// The values for a dynamic template of SendGrid (functions/messages/MESSAGES.md#templates). All are plain text: a
// template shows them with `{{name}}`, which escapes HTML.
import type { MessageContent } from "../message-content.ts";
import { documentsIn, partsOf } from "./parts.ts";
import { plainText } from "./sentence.ts";
import { oneLine, withoutEncodedWords } from "./user-text.ts";

interface Update {
  actorName: string;
  sentence: string;
  text: string;
  at: string;
  documentName: string;
  documentUrl: string;
}

/** A value that is not known is an empty string, so `{{#if documentUrl}}` works. */
interface TemplateData {
  /** For example `Alice mentioned you on Plan`; one line. */
  subject: string;
  readerName: string;
  workspaceName: string;
  documentId: string;
  documentName: string;
  documentUrl: string;
  /** Fields of the first update; `text` has line breaks. */
  actorName: string;
  sentence: string;
  text: string;
  at: string;
  /** All updates, including the first one; at most 50. */
  updates: Update[];
  updateCount: string;
  /** Updates that are not in `updates`; empty: none. */
  moreCount: string;
  unsubscribeDocumentUrl: string;
  unsubscribeOrganizationUrl: string;
}

const size = { sectionsMax: 15, entriesMax: 50, quotedCharactersMax: 12_000 };
const nameMax = 200;

export function templateDataOf(message: MessageContent): TemplateData {
  const { reader, workspaceName, document, unsubscribe } = message;
  const { title, sections, rest } = partsOf(message, size);
  const entries = documentsIn(message).flatMap(({ entries }) => entries);
  const shown = sections.flatMap(({ documentName, url, entries }) =>
    entries.map((entry) => ({ ...entry, documentName, documentUrl: url ?? "" })),
  );
  const updates = shown.map(({ pieces, quote, at, documentName, documentUrl }, index) => {
    const actorName = oneLine(entries[index]?.actorName ?? "", nameMax);
    return { actorName, sentence: plainText(pieces), text: quote ?? "", at, documentName, documentUrl };
  });
  const first = updates[0] ?? { actorName: "", sentence: "", text: "", at: "" };
  const moreCount = sections.reduce((sum, section) => sum + section.moreCount, rest.updates);
  return {
    ...first,
    subject: withoutEncodedWords(title),
    readerName: oneLine(reader.name ?? reader.userId, nameMax),
    workspaceName: oneLine(workspaceName ?? "", nameMax),
    documentId: oneLine(document.documentId, nameMax),
    documentName: sections[0]?.documentName ?? "",
    documentUrl: document.url ?? "",
    updates,
    updateCount: String(updates.length + moreCount),
    moreCount: moreCount > 0 ? String(moreCount) : "",
    unsubscribeDocumentUrl: unsubscribe?.document ?? "",
    unsubscribeOrganizationUrl: unsubscribe?.organization ?? "",
  };
}
