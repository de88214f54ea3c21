// The marks of plain text and Markdown: bullets, numbers, headings, rules, quotes and the borders of tables.

const box = String.raw`\[[ xX✓✔]?\]`;
const symbol = String.raw`[-*+•◦‣⁃·∙○●■□▪▫▸►▶➤→◆◇★☆※・–—☐☑☒✓✔✗✘✅❌🔲🔳⬜👉]\ufe0f?`;
/** `1.`, `(2)`, `1.2`, `a)`, `b.`, `iv)`, `①`. */
const ordinal = String.raw`\(?(?:\d{1,4}|[a-z]|[A-Z](?=\))|[ivx]{2,5})[.)]|\d{1,3}(?:\.\d{1,3})+[.)]?|[①-⓿]|[０-９]{1,3}[．）]`;
const bullet = new RegExp(
  String.raw`^\s*(?:(?:${symbol}|${box})\s+|[・※]|(?<ordinal>${ordinal})\s+)(?:${box}\s+)?(?=\S)`,
  "u",
);
const heading = /^\s{0,3}#{1,6}\s+(?=\S)/;
const quote = /^\s{0,3}(?:>\s?)+/;
/** A rule, or the border of a table. The spaces around the line are removed before. */
const rule = /^(?:[=*_~#+-][\s=*_~#+-]{2,}|[-─━═+|┌┬┐├┼┤└┴┘╔╗╚╝╠╣╦╩╬:\s]{3,})$/;
/** A line that opens or closes a block of code. */
const fence = /^\s{0,3}(?:```|~~~)/;
/** The first ordinals of a list: in the middle of a text, another number can be a part of a sentence. */
const first = /^\(?(?:[01]|a|A|i)(?:[.)]|\.\d)|^[①１]/;

/** A line of the text. */
export interface MarkedLine {
  kind: "plain" | "item" | "heading" | "row" | "rule" | "blank";
  /** The line with its marks, except the marks of a quote. Its length matters for the wrapping. */
  raw: string;
  /** The line without marks. */
  text: string;
  /** The text with its number, if the number is not the first of a list: it may be a part of a sentence. */
  whole?: string;
  /** The indent, in columns. */
  indent: number;
}

export function marked(line: string): MarkedLine {
  const raw = line.replace(quote, "").trimEnd();
  const whole = raw.trimStart();
  const indent = raw.slice(0, raw.length - whole.length).replaceAll("\t", "    ").length;
  if (whole === "") return { kind: "blank", raw, indent, text: "" };
  if (rule.test(whole) || fence.test(raw)) return { kind: "rule", raw, indent, text: whole };
  if (heading.test(raw)) return { kind: "heading", raw, indent, text: raw.replace(heading, "").replace(/\s#+$/, "") };
  if (/^\|.*\|$/.test(whole)) return { kind: "row", raw, indent, text: cellsOf(whole) };
  const item = bullet.exec(raw);
  if (!item) return { kind: "plain", raw, indent, text: whole };
  const number = item.groups?.ordinal;
  const text = raw.slice(item[0].length);
  return { kind: "item", raw, indent, text, ...(number && !first.test(number) && { whole }) };
}

/** The cells of a row of a Markdown table, as the rows of other tables are shown. */
function cellsOf(row: string): string {
  const cells = row.slice(1, -1).split("|");
  return cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")
    .join(" | ");
}
