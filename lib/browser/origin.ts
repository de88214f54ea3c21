// What a browser asks before a page reads a reply (CORS), and which pages may call (DECISIONS.md#calls-of-users).
import { apiKeyHeader } from "../http/auth.ts";
import type { HttpReply } from "../http/envelope.ts";
import { idempotencyKeyHeader } from "../http/idempotency.ts";
import { ignoredFieldsHeader } from "../http/unknown-fields.ts";
import { normalDomain } from "../schema/domain-name.ts";

/** How long a browser may keep the answer. Chromium keeps it at most two hours. */
const preflightSeconds = 7_200;
/** More parts of a name would be more reads. */
const labelsMax = 8;
const originCharactersMax = 300;

/** The answer to OPTIONS. It names no workspace: a browser sends no credentials with it. */
export const preflight = (requestId: string): HttpReply => ({
  statusCode: 204,
  headers: {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": ["authorization", "content-type", idempotencyKeyHeader, apiKeyHeader].join(", "),
    "access-control-max-age": String(preflightSeconds),
    "x-request-id": requestId,
  },
  body: "",
});

/** The headers that let the page of this origin read the reply, a refusal too. */
export const readableBy = (origin: string | undefined): Record<string, string> =>
  isOrigin(origin)
    ? {
        vary: "origin",
        "access-control-allow-origin": origin,
        "access-control-expose-headers": `x-request-id, retry-after, ${ignoredFieldsHeader}`,
      }
    : {};

/**
 * Pages of this origin may call if the workspace allows one of these domains: for `https://a.b.example.com:8443`,
 * `a.b.example.com`, `*.b.example.com`, `*.example.com` and `*.com`. Empty: no domain allows the origin. A domain has no
 * port, so it allows all ports.
 */
export function domainsAllowing(origin: string): string[] {
  if (!isOrigin(origin) || origin === "null") return [];
  const { protocol, hostname } = new URL(origin);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const domain = hostname.endsWith(".") ? undefined : normalDomain(hostname);
  if (!domain || !(protocol === "https:" || (protocol === "http:" && isLocal))) return [];
  const labels = hostname.split(".");
  const above = labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join(".")}`);
  return [domain, ...above.slice(0, labelsMax)];
}

/** Whether a text is an origin in the form in which browsers send it. */
const isOrigin = (origin: string | undefined): origin is string =>
  origin === "null" ||
  (origin !== undefined && origin.length <= originCharactersMax && URL.parse(origin)?.origin === origin);
