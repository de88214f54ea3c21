import { normalDomain } from "../schema/domain-name.ts";
import type { Document } from "../store/content/document.ts";
import * as DocumentMetadata from "../store/content/document-metadata.ts";
import * as Domain from "../store/domain.ts";
import type { WorkspaceRef } from "../store/refs.ts";

// The link of a document in messages (DECISIONS.md#links-in-messages).

/** The document's link, as its metadata and the allowed domains are now; undefined: none. */
export async function linkOfDocument(ref: WorkspaceRef, document: Document): Promise<string | undefined> {
  const [text] = (await DocumentMetadata.textsOf(ref, [document])).values();
  if (text === undefined) return undefined;
  const { url } = JSON.parse(text) as { url?: unknown };
  const domains = await Domain.existing(ref, possibleLink(url)?.allowedBy ?? []);
  return linkOf(url, domains);
}

/** A URL that can be a link if the workspace allows one of the domains. */
interface PossibleLink {
  /** Percent-encoded, in ASCII. */
  href: string;
  allowedBy: string[];
}

/**
 * Without user and password. The parser would silently drop line breaks and an empty user, and take a backslash for a
 * slash.
 */
const strictUrl = /^https:\/\/[^\s\p{Cc}\\/?#@]+(?:[/?#][^\s\p{Cc}\\]*)?$/iu;

function possibleLink(url: unknown): PossibleLink | undefined {
  const parsed = typeof url === "string" && strictUrl.test(url) ? URL.parse(url) : null;
  const host = parsed && normalDomain(parsed.hostname);
  if (!host || host.startsWith("*")) return undefined;
  const labels = parsed.hostname.replace(/\.$/, "").split(".");
  const above = labels.slice(1).map((_, index) => labels.slice(index + 1).join("."));
  // The parser does not encode these two. They have a meaning where a link is part of a text.
  const href = parsed.href.replaceAll("|", "%7C").replaceAll("'", "%27");
  return { href, allowedBy: [host, ...above.map((each) => `*.${each}`)] };
}

/** The URL as a link; undefined: it must not be one. `domains`: the allowed domains, in their normal form. */
export function linkOf(url: unknown, domains: ReadonlySet<string>): string | undefined {
  const link = possibleLink(url);
  return link?.allowedBy.some((domain) => domains.has(domain)) ? link.href : undefined;
}
