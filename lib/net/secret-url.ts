// URLs that get a secret with each request (DECISIONS.md#addresses-of-secrets).
import { inBlocks } from "./address.ts";
import { defaultEgress, type Egress } from "./egress.ts";
import { OutboundError } from "./outbound-error.ts";
import { knownAddress, parseUrl } from "./url.ts";

/** The operator's list that allows no origin. */
export const noOrigin = "none";

/**
 * Why a secret cannot be sent to a URL, as a public message; undefined: it can. `origins`: the operator's list,
 * separated by commas or white space. Empty: any.
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
    return "The operator of this service does not allow this origin.";
  }
  return undefined;
}

/** Scheme, host and port of a URL in one spelling; empty if it is no URL. */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? "";

function isLoopback(url: URL): boolean {
  return inBlocks("127.0.0.0/8 ::1")(knownAddress(url) ?? "");
}
