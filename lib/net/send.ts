// Every request to an address that a customer chose uses `send` (DECISIONS.md#outbound-addresses).
import { mayAsk } from "../call.ts";
import { defaultEgress, type Egress } from "./egress.ts";
import { exchange, type OutboundReply, type OutboundRequest } from "./exchange.ts";
import { OutboundError } from "./outbound-error.ts";
import { literalAddress, parseUrl } from "./url.ts";

/**
 * Sends one request and returns the reply with any status. Redirects are not followed.
 * @throws OutboundError
 */
export async function send(request: OutboundRequest, through: Egress = defaultEgress()): Promise<OutboundReply> {
  const url = parseUrl(request.url, through);
  if (url instanceof OutboundError) throw url;
  await mayAsk();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), request.timeoutMs);
  const deadline = request.signal ? AbortSignal.any([timeout.signal, request.signal]) : timeout.signal;
  try {
    const addresses = await Promise.race([allowedAddresses(url, through), timeoutAt(deadline)]);
    return await exchange(request, { url, addresses, deadline });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The addresses that the request may connect to. The name is resolved only here. A second lookup, by Node or by a
 * proxy, could return an address that was not checked (DNS rebinding). If a name has allowed and refused addresses,
 * only the allowed ones are used.
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

/** Rejects when the deadline aborts. */
function timeoutAt(deadline: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(new OutboundError("timeout", { cause: deadline.reason }));
    if (deadline.aborted) end();
    else deadline.addEventListener("abort", end, { once: true });
  });
}
