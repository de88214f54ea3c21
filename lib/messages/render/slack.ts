// Renders a message as a Slack message (DECISIONS.md#rendering-of-messages). Texts of users are in blocks of rich text,
// which Slack shows as they are: no formatting, no mention, no link. Only `text`, which notifications show, is parsed.
import type { MessageContent } from "../message-content.ts";
import { type Part, partsOf, reasonOf, restOf, type Section, timeOf, updates } from "./parts.ts";
import { endsSentence, type Piece } from "./sentence.ts";

interface RenderedSlack {
  /** With `&`, `<` and `>` escaped, as Slack asks for. */
  text: string;
  blocks: SlackBlock[];
}

type SlackBlock =
  | { type: "rich_text"; elements: SlackElement[] }
  | { type: "context"; elements: { type: "plain_text"; text: string; emoji: false }[] };

interface SlackElement {
  type: "rich_text_section" | "rich_text_quote";
  elements: SlackText[];
}

type SlackText =
  | { type: "text"; text: string; style?: { bold: true } }
  | { type: "link"; url: string; text: string; style?: { bold: true } };

/** Slack refuses a message with a longer URL. Percent-encoding makes one of 2 KB up to 6 KB long. */
const urlCharactersMax = 3_000;
/** Slack refuses messages with more than 50 blocks. */
const size = { sectionsMax: 8, entriesMax: 20, quotedCharactersMax: 8_000 };

export function renderSlack(message: MessageContent): RenderedSlack {
  const parts = partsOf(message, size);
  const { title, sections, hasTimes } = parts;
  const reason = reasonOf(message, { hasEndings: false });
  const blocks: SlackBlock[] = [
    ...sections.flatMap((each) => blocksOf(each, hasTimes)),
    ...restOf(parts).map((each) => richText(section(plain(each)))),
    { type: "context", elements: [{ type: "plain_text", text: reason, emoji: false }] },
  ];
  return { text: escapedForSlack(title), blocks };
}

function blocksOf({ documentName, url, entries, moreCount }: Section, hasTimes: boolean): SlackBlock[] {
  return [
    richText(section(bold(documentName))),
    ...entries.map((entry) => richText(...elementsOf(entry, hasTimes))),
    ...(moreCount > 0 ? [richText(section(plain(`And ${updates(moreCount, "more ")}.`)))] : []),
    ...(url === undefined || url.length > urlCharactersMax
      ? []
      : [richText(section(linkTo(url, `Open ${documentName}`)))]),
  ];
}

function elementsOf({ pieces, quote, at }: Part, hasTime: boolean): SlackElement[] {
  const time = hasTime ? [plain(` (${timeOf(at)})`)] : [];
  const isEnded = quote !== undefined || hasTime || endsSentence(pieces);
  const sentence = section(...pieces.map(textOf), ...time, ...(isEnded ? [] : [plain(".")]));
  return quote === undefined ? [sentence] : [sentence, { type: "rich_text_quote", elements: [plain(quote)] }];
}

const richText = (...elements: SlackElement[]): SlackBlock => ({ type: "rich_text", elements });
const linkTo = (url: string, text: string): SlackText => ({ type: "link", url, text, style: { bold: true } });
const plain = (text: string): SlackText => ({ type: "text", text });
const bold = (text: string): SlackText => ({ type: "text", text, style: { bold: true } });

function textOf(piece: Piece): SlackText {
  if (typeof piece === "string") return plain(piece);
  return piece.isActor ? bold(piece.user) : plain(piece.user);
}

const section = (...elements: SlackText[]): SlackElement => ({ type: "rich_text_section", elements });

const escapedForSlack = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
