// Replies of the console, with the headers that keep other pages and other hosts out.
import type { ServerResponse } from "node:http";
import { type Page, page, pageHeaders } from "../../../lib/http/html-page.ts";

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** Nothing loads from another host, and no script or style stands in a page itself. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

export const policies = {
  page: pagePolicy.join("; "),
  /** A mail that the console shows in a frame. It is text of others. */
  mail: "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  data: "sandbox; default-src 'none'; frame-ancestors 'none'",
};

const common = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

export function fileReply(
  { type, body }: { type: string; body: Reply["body"] },
  csp: string = policies.data,
  headers: Record<string, string> = {},
): Reply {
  return {
    status: 200,
    headers: { ...common, "content-security-policy": csp, "content-type": type, ...headers },
    body,
  };
}

export function jsonReply(content: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  const file = { type: "application/json", body: JSON.stringify(content) };
  return { ...fileReply(file, policies.data, headers), status };
}

/** A small page for a person. */
export function pageReply(status: number, content: Page): Reply {
  const file = { type: "text/html; charset=utf-8", body: page(content) };
  return { ...fileReply(file, pageHeaders["content-security-policy"]), status };
}

export function textReply(status: number, text: string, headers: Record<string, string> = {}): Reply {
  return { ...fileReply({ type: "text/plain; charset=utf-8", body: text }, policies.data, headers), status };
}

/** A failure in the envelope of the API. */
export function failure(status: number, code: string, message: string): Reply {
  return jsonReply({ error: { status: code, message } }, status);
}

export const onlyLooks = "This browser may only look. To make changes, open the console's address from the terminal.";

export const denied = (message: string) => failure(403, "PERMISSION_DENIED", message);
export const notFound = (message = "The console has no such page.") => failure(404, "NOT_FOUND", message);

export function send(response: ServerResponse, { status, headers, body }: Reply, isHead = false): void {
  const content = Buffer.from(body);
  response.writeHead(status, { ...headers, "content-length": content.length });
  response.end(isHead ? undefined : content);
}
