import { isIP } from "node:net";
import { inBlocks } from "./address.ts";
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

/** A name of the DNS, with or without the point at its end. */
const name = /^(?=.{1,253}$)[^.]{1,63}(?:\.[^.]{1,63})*$/;
const noName = "The URL's host must have at most 253 characters, and 1 to 63 between two points.";

/** The parser drops or replaces these characters: a person would read another address. */
const dropped = "The URL must not have backslashes or invisible characters.";

/** The parsed URL, or what is wrong with it. */
export function parseUrl(text: string, through: Egress): URL | OutboundError {
  if (text.length > charactersMax) {
    return new OutboundError("bad_url", { message: "The URL must have at most 4,096 characters." });
  }
  if (/[\p{Cc}\p{Cf}\\]/u.test(text.trim())) return new OutboundError("bad_url", { message: dropped });
  const url = URL.parse(text);
  if (!url) return new OutboundError("bad_url");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return new OutboundError("bad_url", { message: "The URL must begin with http:// or https://." });
  }
  // Mistakes of the caller. The parser corrects https:example.com and https:///example.com, and no server has port 0.
  if (!/^[^:]*:\/\/[^/]/.test(text) || url.port === "0") return new OutboundError("bad_url");
  if (url.username || url.password) {
    return new OutboundError("bad_url", { message: "The URL must not have a user name or a password." });
  }
  if (!name.test(url.hostname.replace(/\.$/, ""))) return new OutboundError("bad_url", { message: noName });
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

/** The value of the operator's list of origins that allows none. */
export const noOrigin = "none";

/**
 * Why a secret cannot be sent to a URL, as a public message; undefined: it can (DECISIONS.md#addresses-of-secrets).
 * `origins`: the operator's list, separated by commas or white space. Empty: any.
 */
export function checkSecretUrl(url: string, origins: string, through: Egress = defaultEgress()): string | undefined {
  const parsed = parseUrl(url, through);
  if (parsed instanceof OutboundError) return parsed.message;
  // Without TLS, everyone on the path could read the secret. Loopback has no path, and parseUrl has checked that the
  // operator allows it.
  if (parsed.protocol !== "https:" && !isLoopback(parsed)) {
    return "The URL must begin with https://, because requests to it carry a secret.";
  }
  const allowed = origins.split(/[\s,]+/).filter(Boolean);
  if (allowed.length > 0 && !allowed.some((each) => originOf(each) === parsed.origin)) {
    return "The operator does not allow this origin.";
  }
  return undefined;
}

/** Scheme, host and port of a URL in one spelling; empty if it is no URL. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? "";

function isLoopback(url: URL): boolean {
  return inBlocks("127.0.0.0/8 ::1")(knownAddress(url) ?? "");
}
