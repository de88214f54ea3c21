// Renders a message as an e-mail (DECISIONS.md#rendering-of-messages).
import { hash } from "node:crypto";
import type { MessageContent } from "../message-content.ts";
import { htmlOf } from "./html.ts";
import { endingsOf, type Part, type Parts, partsOf, reasonOf, restOf, type Section, timeOf, updates } from "./parts.ts";
import { endsSentence, plainText } from "./sentence.ts";
import { isolated, withoutEncodedWords } from "./user-text.ts";

export interface RenderedEmail {
  subject: string;
  text: string;
  html: string;
  /** Headers by name. Values are printable ASCII on one line. */
  headers: Readonly<Record<string, string>>;
}

const size = { sectionsMax: 15, entriesMax: 50, quotedCharactersMax: 12_000 };
/** Gmail hides the part of a mail beyond 102 KB of HTML. */
const htmlBytesMax = 102_400;
/** RFC 5322 and SES allow 1,000 bytes in a line, with its name and line break. No URL can be folded. */
const headerLineMax = 998;

/** `domain`: the right part of the ids in the headers. */
export function renderEmail(message: MessageContent, { domain }: { domain: string }): RenderedEmail {
  const { parts, html } = fitting(message);
  return {
    subject: withoutEncodedWords(parts.title),
    text: textOf(message, parts),
    html,
    headers: headersOf(message, domain),
  };
}

/** Renders as many documents as fit: links can be long, and each section has one. */
function fitting(message: MessageContent): { parts: Parts; html: string } {
  for (let { sectionsMax } = size; ; sectionsMax = Math.floor(sectionsMax / 2)) {
    const parts = partsOf(message, { ...size, sectionsMax });
    const html = htmlOf(message, parts);
    if (sectionsMax === 1 || Buffer.byteLength(html) <= htmlBytesMax) return { parts, html };
  }
}

/** No text of a user is part of a header: the id of the thread is a hash. */
function headersOf(message: MessageContent, domain: string): Record<string, string> {
  const { messageId, threadId } = message;
  const [ending] = endingsOf(message);
  const unsubscribe = ending && `<${ending.url}>`;
  const thread = `<thread-${hash("sha256", threadId, "base64url").slice(0, 22)}@${domain}>`;
  return {
    "Message-ID": `<${messageId}@${domain}>`,
    "In-Reply-To": thread,
    References: thread,
    // Answering machines do not answer it (RFC 3834).
    "Auto-Submitted": "auto-generated",
    // Ids of 256 characters make a longer link. The text of the mail has it too.
    ...(unsubscribe &&
      `List-Unsubscribe: ${unsubscribe}`.length <= headerLineMax && {
        "List-Unsubscribe": unsubscribe,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      }),
  };
}

/** Each line of a quote begins with `>`, so no line of a user looks like one of the message. */
function textOf(message: MessageContent, parts: Parts): string {
  const { sections, hasTimes } = parts;
  const paragraphs = [...sections.flatMap((section) => paragraphsOf(section, hasTimes)), ...restOf(parts)];
  const reason = reasonOf(message, { hasEndings: message.unsubscribe !== undefined });
  const footer = [reason, ...endingsOf(message).map(({ text, url }) => `${text}: ${url}`)];
  return `${paragraphs.join("\n\n")}\n\n-- \n${footer.join("\n")}\n`;
}

function paragraphsOf({ documentName, url, entries, moreCount }: Section, hasTimes: boolean): string[] {
  const name = isolated(documentName);
  return [
    name,
    ...entries.map((entry) => entryText(entry, hasTimes)),
    ...(moreCount > 0 ? [`And ${updates(moreCount, "more ")}.`] : []),
    ...(url === undefined ? [] : [`Open ${name}:\n${url}`]),
  ];
}

function entryText({ pieces, quote, at }: Part, hasTime: boolean): string {
  const sentence = `${plainText(pieces)}${hasTime ? ` (${timeOf(at)})` : ""}`;
  if (quote !== undefined) return `${sentence}:\n${quote.replace(/^/gm, "> ")}`;
  return endsSentence(hasTime ? [sentence] : pieces) ? sentence : `${sentence}.`;
}
