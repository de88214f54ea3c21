import { isIP } from "node:net";
import { defaultEgress, type Egress } from "./egress.ts";
import { OutboundError } from "./outbound-error.ts";

/** A longer URL is not parsed: the time to encode the letters of a host grows with their square. */
const charactersMax = 4_096;

/**
 * Why a URL cannot be called, as a public message; undefined: it can. A host name is resolved only when it is called.
 */
export function checkUrl(url: string, through?: Egress): string | undefined {
  const checked = parseUrl(url, through ?? defaultEgress());
  return checked instanceof OutboundError ? checked.message : undefined;
}

/** The parsed URL, or what is wrong with it. */
export function parseUrl(text: string, through: Egress): URL | OutboundError {
  const url = text.length <= charactersMax ? URL.parse(text) : null;
  if (!url) return new OutboundError("bad_url");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return new OutboundError("bad_url", { message: "The URL must begin with http:// or https://." });
  }
  // The parser corrects https:example.com and https:/example.com. Such an address is a mistake of the caller.
  if (!/^[^:]*:\/\//.test(text)) return new OutboundError("bad_url");
  if (url.username || url.password) {
    return new OutboundError("bad_url", { message: "The URL must not have a user name or a password." });
  }
  const address = knownAddress(url);
  if (address !== undefined && !through.isAllowed(address)) return new OutboundError("refused_address");
  return url;
}

/** The IP address to which a URL leads without a resolver: names under localhost are loopback by RFC 6761. */
export function knownAddress(url: URL): string | undefined {
  return /(^|\.)localhost\.?$/.test(url.hostname) ? "127.0.0.1" : literalAddress(url);
}

/**
 * The IP address of a URL whose host is one. The URL parser has already normalised decimal, octal, hexadecimal, short
 * and full-width notations.
 */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) ? host : undefined;
}
