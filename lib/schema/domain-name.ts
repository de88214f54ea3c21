// The names of allowed domains: validates them, and brings them into the stored normal form (DECISIONS.md#domains).
import { isIPv6 } from "node:net";
import * as z from "zod/mini";
import { listOf, Text } from "./primitives.ts";

const hostCharactersMax = 253;
/** A longer host is not parsed: the time to encode other letters than ASCII grows with their square. */
const authorityCharactersMax = 300;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The host of a URL or a bare domain: for `https://www.MÜNCHEN.de:8443/x`, `xn--mnchen-3ya.de`. One leading `*.` is kept.
 * Undefined: no valid host, or a URL with credentials.
 */
export function normalDomain(text: string): string | undefined {
  const [authority = ""] = /^[^/\\?#]*/.exec(text.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, "")) ?? [];
  const host = isIPv6(authority) ? `[${authority}]` : authority;
  // The URL parser would silently drop line breaks, an empty user and an empty port ("https://https://…").
  if (host.length > authorityCharactersMax || /[\s\p{Cc}@]|:$/u.test(host)) return undefined;
  const hostname = URL.parse(`https://${host}`)?.hostname.replace(/\.$/, "");
  if (hostname === undefined || hostname.startsWith("[")) return hostname;
  const wildcard = hostname.startsWith("*.") ? "*." : "";
  const name = hostname.slice(wildcard.length);
  if (name.length > hostCharactersMax || !name.split(".").every((each) => label.test(each))) return undefined;
  return wildcard ? hostname : withoutWww(name);
}

/** Removes each leading `www.` before at least two labels. So normalising twice gives the same result. */
function withoutWww(name: string): string {
  return /^www\.[^.]+\./.test(name) ? withoutWww(name.slice("www.".length)) : name;
}

/** The distinct normal forms of valid domains, in the order given. */
export function normalDomains(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => normalDomain(text) as string))];
}

const Domain = Text.check(
  z.refine((text) => normalDomain(text) !== undefined, {
    error: "Must be a domain, an IP address or a URL, with at most one leading *. and without credentials.",
  }),
  z.describe(
    "A domain, an IP address or a URL. Protocol, port, path and www. are dropped; " +
      "one leading *. is kept; an international name becomes punycode.",
  ),
);

/** 1 to 100, as the contract says. */
export const Domains = listOf(Domain, 100);
