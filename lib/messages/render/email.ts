// Renders a digest as an e-mail (DECISIONS.md#rendering-of-messages).
import { hash } from "node:crypto";
import type { Digest } from "../digest.ts";
import { htmlOf } from "./html.ts";
import { endingsOf, type Part, type Parts, partsOf, reasonOf, timeOf, updates } from "./parts.ts";
import { endsSentence, plainText } from "./sentence.ts";
import { isolated } from "./user-text.ts";

export interface RenderedEmail {
  subject: string;
  text: string;
  html: string;
  /** By name. Values are printable ASCII on one line. */
  headers: Readonly<Record<string, string>>;
}

/** Gmail hides what is beyond 102 KB of HTML. */
const size = { entriesMax: 50, quotedCharactersMax: 14_000 };

/** `domain`: the right part of the ids in the headers. */
export function renderEmail(digest: Digest, { domain }: { domain: string }): RenderedEmail {
  const parts = partsOf(digest, size);
  return {
    subject: parts.title,
    text: textOf(digest, parts),
    html: htmlOf(digest, parts),
    headers: headersOf(digest, domain),
  };
}

/** No text of a user is part of a header: the id of the thread is a hash. */
function headersOf({ messageId, threadId, unsubscribe }: Digest, domain: string): Record<string, string> {
  const thread = `<thread-${hash("sha256", threadId, "base64url").slice(0, 22)}@${domain}>`;
  return {
    "Message-ID": `<${messageId}@${domain}>`,
    "In-Reply-To": thread,
    References: thread,
    // Answering machines do not answer it (RFC 3834).
    "Auto-Submitted": "auto-generated",
    ...(unsubscribe && {
      "List-Unsubscribe": `<${unsubscribe.document}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
  };
}

/** Each line of a quote begins with `>`, so no line of a user looks like one of the message. */
function textOf(digest: Digest, { documentName, entries, moreCount }: Parts): string {
  const name = isolated(documentName);
  const { url } = digest.document;
  const paragraphs = [
    name,
    ...entries.map((entry) => entryText(entry, entries.length > 1)),
    ...(moreCount > 0 ? [`And ${updates(moreCount, "more ")}.`] : []),
    ...(url === undefined ? [] : [`Open ${name}:\n${url}`]),
  ];
  const footer = [
    reasonOf(digest, { hasEndings: digest.unsubscribe !== undefined }),
    ...endingsOf(digest).map(({ text, url }) => `${text}: ${url}`),
  ];
  return `${paragraphs.join("\n\n")}\n\n-- \n${footer.join("\n")}\n`;
}

function entryText({ pieces, quote, at }: Part, hasTime: boolean): string {
  const sentence = `${plainText(pieces)}${hasTime ? ` (${timeOf(at)})` : ""}`;
  if (quote !== undefined) return `${sentence}:\n${quote.replace(/^/gm, "> ")}`;
  return endsSentence(hasTime ? [sentence] : pieces) ? sentence : `${sentence}.`;
}
