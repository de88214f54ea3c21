import { isIP } from "node:net";
import { defaultEgress, type Egress } from "./egress.ts";
import { OutboundError } from "./outbound-error.ts";

/**
 * Why a URL cannot be called, as a public text; undefined when it can. A name's addresses show only when it is called.
 */
export function checkUrl(url: string, through?: Egress): string | undefined {
  const checked = parseUrl(url, through ?? defaultEgress());
  return checked instanceof OutboundError ? checked.message : undefined;
}

/** The parsed URL, or what is wrong with it. */
export function parseUrl(text: string, through: Egress): URL | OutboundError {
  const url = URL.parse(text);
  if (!url) return new OutboundError("bad_url");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return new OutboundError("bad_url", { message: "The URL must begin with http:// or https://." });
  }
  if (url.username || url.password) {
    return new OutboundError("bad_url", { message: "The URL must not hold a user name or a password." });
  }
  // Names under localhost are loopback by RFC 6761, whatever the resolver says of them.
  const isLocalhost = /(^|\.)localhost\.?$/.test(url.hostname);
  const address = isLocalhost ? "127.0.0.1" : literalAddress(url);
  if (address !== undefined && !through.isAllowed(address)) return new OutboundError("refused_address");
  return url;
}

/**
 * The IP address that a URL's host spells out, if it does. The URL parser has already turned decimal, octal,
 * hexadecimal, short and full-width notations into the usual one.
 */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) ? host : undefined;
}
