// The HTML of an e-mail: one column, system fonts, no images, no scripts, in light and dark. Styles are inline, since
// some mail programs drop style sheets. The style sheet adds only dark colours.
import type { MessageContent } from "../message-content.ts";
import { endingsOf, type Part, type Parts, reasonOf, restOf, type Section, timeOf, updates } from "./parts.ts";
import { endsSentence, type Piece } from "./sentence.ts";

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const dark = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #161615 !important; }
  .card { background: #20201e !important; border-color: #35352f !important; }
  .text, .text a { color: #ececea !important; }
  .muted, .muted a { color: #a3a39d !important; }
  .quote { border-color: #4a4a43 !important; color: #d8d8d3 !important; }
  .line { border-color: #35352f !important; }
  .button { background: #8ab4f0 !important; }
  .button a { color: #10151c !important; }
}
@media (max-width: 480px) {
  .page-edge { padding: 12px !important; }
  .card-edge { padding: 20px !important; }
}`;

export function htmlOf(message: MessageContent, parts: Parts): string {
  const { title, sections, hasTimes } = parts;
  const rest = restOf(parts).map((text) => `<p class="muted" style="margin:0;color:#6b6b66">${text}</p>`);
  const body = [...sections.map((section) => sectionHtml(section, hasTimes)), ...rest];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escaped(title)}</title>
<style>${dark}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f4f1;-webkit-text-size-adjust:100%">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="page-edge" align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="card card-edge text" align="left" style="padding:28px 32px;background:#ffffff;border:1px solid #e3e3de;border-radius:10px;${font};font-size:16px;line-height:24px;color:#1d1d1b">
${body.join(`\n${line(28)}\n`)}
</td></tr>
<tr><td class="muted" align="left" style="padding:20px 8px 0;${font};font-size:13px;line-height:20px;color:#6b6b66">
${footerHtml(message)}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

function sectionHtml({ documentName, url, entries, moreCount }: Section, hasTimes: boolean): string {
  const more = `<p class="muted" style="margin:20px 0 0;color:#6b6b66">And ${updates(moreCount, "more ")}.</p>`;
  return [
    `<p class="muted" dir="auto" style="margin:0 0 12px;font-size:14px;line-height:20px;color:#6b6b66">${escaped(documentName)}</p>`,
    ...(entries.length > 0 ? [entries.map((entry) => entryHtml(entry, hasTimes)).join(`\n${line(20)}\n`)] : []),
    ...(moreCount > 0 ? [more] : []),
    ...(url === undefined ? [] : [buttonHtml(url, documentName)]),
  ].join("\n");
}

const line = (margin: number) => `<div class="line" style="margin:${margin}px 0;border-top:1px solid #e3e3de"></div>`;

function entryHtml({ pieces, quote, at }: Part, hasTime: boolean): string {
  const time = hasTime
    ? ` <span class="muted" style="font-size:13px;color:#6b6b66;white-space:nowrap">${timeOf(at)}</span>`
    : "";
  const end = quote !== undefined || hasTime || endsSentence(pieces) ? "" : ".";
  const sentence = `<p style="margin:0;overflow-wrap:anywhere">${pieces.map(pieceHtml).join("")}${end}${time}</p>`;
  return `${sentence}${quote === undefined ? "" : quoteHtml(quote)}`;
}

function pieceHtml(piece: Piece): string {
  if (typeof piece === "string") return escaped(piece);
  const text = `<bdi>${escaped(piece.user)}</bdi>`;
  return piece.isActor ? `<strong style="font-weight:600">${text}</strong>` : text;
}

const quoteHtml = (quote: string) =>
  `\n<div class="quote" dir="auto" style="margin:10px 0 0;padding:2px 0 2px 14px;border-left:3px solid #d4d4cd;` +
  `text-align:start;color:#3b3b37;overflow-wrap:anywhere">${escaped(quote).replaceAll("\n", "<br>\n")}</div>`;

const buttonHtml = (url: string, documentName: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0"><tr>` +
  `<td class="button" bgcolor="#1f5aa8" style="border-radius:8px;background:#1f5aa8">` +
  `<a href="${escaped(url)}" style="display:inline-block;padding:11px 20px;font-size:15px;line-height:20px;` +
  `font-weight:600;color:#ffffff;text-decoration:none;overflow-wrap:anywhere">Open <bdi>${escaped(documentName)}</bdi></a>` +
  `</td></tr></table>`;

function footerHtml(message: MessageContent): string {
  const links = endingsOf(message).map(
    ({ text, url }) =>
      `<a href="${escaped(url)}" style="display:inline-block;margin:8px 16px 0 0;color:#6b6b66;text-decoration:underline">${text}</a>`,
  );
  const ways = links.length > 0 ? `<p style="margin:0">${links.join(" ")}</p>` : "";
  return `<p style="margin:0;overflow-wrap:anywhere">${escaped(reasonOf(message, { hasEndings: links.length > 0 }))}</p>${ways && `\n${ways}`}`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] as string);
