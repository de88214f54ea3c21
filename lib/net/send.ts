// The one way out to an address that a customer has given.
import { defaultEgress, type Egress } from "./egress.ts";
import { exchange } from "./exchange.ts";
import { OutboundError } from "./outbound-error.ts";
import { literalAddress, parseUrl } from "./url.ts";

export interface OutboundRequest {
  url: string;
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Those that frame the message (host, content-length, …) are set here and ignored. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** For all of it: resolving, connecting, TLS, headers and body. */
  timeoutMs: number;
  /** How much of the answer's body is read. */
  maxBytes: number;
  /** What a longer body is: an error (the default), or cut off. */
  overflow?: "fail" | "truncate";
  /** Ends the request early, as a timeout. */
  signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came: not decompressed. */
  body: Buffer;
  truncated: boolean;
}

/**
 * Sends one request and reads its answer, whatever its status; a redirect is an answer like any other.
 * @throws OutboundError
 */
export async function send(request: OutboundRequest, through: Egress = defaultEgress()): Promise<OutboundAnswer> {
  const url = parseUrl(request.url, through);
  if (url instanceof OutboundError) throw url;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), request.timeoutMs);
  const deadline = request.signal ? AbortSignal.any([timeout.signal, request.signal]) : timeout.signal;
  try {
    const addresses = await Promise.race([allowedAddresses(url, through), endOf(deadline)]);
    return await exchange(request, { url, addresses, deadline });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The addresses that may be connected to. The name is resolved here and nowhere else: a second look-up, by node or by
 * a proxy, could be answered differently by whoever runs the name's DNS (rebinding), and what was checked would not be
 * what is connected to. A name with allowed and refused addresses keeps the allowed ones.
 */
async function allowedAddresses(url: URL, through: Egress): Promise<string[]> {
  const literal = literalAddress(url);
  if (literal !== undefined) return [literal];
  const answers = await through.resolve(url.hostname).catch((cause: unknown) => {
    throw new OutboundError("dns", { cause });
  });
  if (answers.length === 0) throw new OutboundError("dns");
  const allowed = answers.filter((address) => through.isAllowed(address));
  if (allowed.length === 0) throw new OutboundError("refused_address");
  return allowed;
}

function endOf(deadline: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(new OutboundError("timeout", { cause: deadline.reason }));
    if (deadline.aborted) end();
    else deadline.addEventListener("abort", end, { once: true });
  });
}
