// What an allowed domain is called, however it was written (decision W4).
import { isIPv6 } from "node:net";

const hostCharactersMax = 253;
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The host of a URL or a bare domain: lower case, IDN as punycode, without protocol, port, path, trailing dot and
 * `www.`; one leading `*.` stays. Undefined where there is no valid host, or credentials come with it.
 */
export function normalDomain(text: string): string | undefined {
  const [authority = ""] = /^[^/\\?#]*/.exec(text.trim().replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, "")) ?? [];
  const host = isIPv6(authority) ? `[${authority}]` : authority;
  // The URL parser would drop line breaks, an empty user and an empty port ("https://https://…") without a word.
  if (/[\s\p{Cc}@]|:$/u.test(host)) return undefined;
  const hostname = URL.parse(`https://${host}`)?.hostname.replace(/\.$/, "");
  if (hostname === undefined || hostname.startsWith("[")) return hostname;
  const wildcard = hostname.startsWith("*.") ? "*." : "";
  const name = hostname.slice(wildcard.length);
  if (name.length > hostCharactersMax || !name.split(".").every((each) => label.test(each))) return undefined;
  return wildcard ? hostname : withoutWww(name);
}

/** Again and again, so that a name taken from a list is the same when it is added again. */
function withoutWww(name: string): string {
  return /^www\.[^.]+\./.test(name) ? withoutWww(name.slice("www.".length)) : name;
}

/** Each domain once, in the order given; all of them are valid. */
export function normalDomains(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => normalDomain(text) as string))];
}
