// A small page for people, without scripts or images. It works in light and dark mode, and on narrow screens.
import { hash } from "node:crypto";
import { type ApiError, httpStatus } from "../errors.ts";
import { type HttpReply, messageOf } from "./envelope.ts";

const style = [
  ":root{color-scheme:light dark;--text:#1f2430;--soft:#5b6472;--paper:#fff;--ground:#f4f5f7;--line:#dfe3e8;--key:#1f5eff}",
  "@media(prefers-color-scheme:dark){:root{--text:#e7e9ee;--soft:#a2a9b6;--paper:#1c2028;--ground:#12151b;--line:#2d333f;--key:#5b8aff}}",
  "*{box-sizing:border-box}",
  "body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}",
  "main{width:100%;max-width:440px;padding:32px;background:var(--paper);border:1px solid var(--line);border-radius:12px}",
  "h1{margin:0 0 12px;font-size:20px;line-height:1.3}",
  "p{margin:0;color:var(--soft)}",
  "button{margin-top:24px;width:100%;padding:12px 16px;border:0;border-radius:8px;background:var(--key);color:#fff;font:inherit;font-weight:600;cursor:pointer}",
  "@media(prefers-color-scheme:dark){button{color:#0b1020}}",
  "a{display:inline-block;margin-top:16px;color:var(--key)}",
  "button:focus-visible{outline:3px solid var(--text);outline-offset:2px}",
].join("");

/** Nothing runs and nothing is loaded. The address can be a secret, so no other server learns it. */
export const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; form-action 'self'; ` +
    "base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
} as const;

export interface Page {
  title: string;
  text: string;
  /** The button of a form that posts to the page's own address. */
  button?: string;
  link?: { to: string; text: string };
}

/** All texts are escaped. */
export function page({ title, text, button, link }: Page): string {
  const form = button && `<form method="post"><button type="submit">${escaped(button)}</button></form>`;
  const way = link && `<a href="${escaped(link.to)}">${escaped(link.text)}</a>`;
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<title>${escaped(title)}</title><style>${style}</style></head>` +
    `<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${form ?? ""}${way ?? ""}</main></body></html>\n`
  );
}

/** The replies of an endpoint with the envelope `page`. */
export const pages = {
  succeed: (_: unknown, data: unknown, requestId: string) => pageReply(200, requestId, String(data)),
  fail(failure: ApiError, requestId: string): HttpReply {
    const text = messageOf(failure, requestId);
    const { status, http } = failure;
    return pageReply(http.code ?? httpStatus[status], requestId, page({ title: "This did not work", text }));
  },
};

const pageReply = (statusCode: number, requestId: string, body: string): HttpReply => ({
  statusCode,
  headers: { ...pageHeaders, "x-request-id": requestId },
  body,
});

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
