import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { OutboundError, type OutboundErrorKind } from "./outbound-error.ts";

export interface OutboundRequest {
  url: string;
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Headers that only the client sets (host, content-length, …) are ignored. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** The time for the whole exchange: resolving, connecting, TLS, headers and body. */
  timeoutMs: number;
  /** Maximum bytes of the reply's body to read. */
  maxBytes: number;
  /** Whether a longer body is an error (the default) or is truncated. */
  overflow?: "fail" | "truncate";
  /** Aborts the request early. The error is a timeout. */
  signal?: AbortSignal | undefined;
  /** Called when the whole request has been handed to the operating system. */
  onSent?: (() => void) | undefined;
}

export interface OutboundReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As received, not decompressed. */
  body: Buffer;
  truncated: boolean;
}

/** All header lines of a reply together, in bytes. It is Node's default, fixed here because a flag could raise it. */
const headerBytesMax = 16_384;

/**
 * How long to try an address while others remain, at most half of the request's time. Node's own 250 ms are too short
 * for a receiver on another continent.
 */
const addressMsMax = 2_500;

/** Headers that frame the message or choose the certificate. Only the client sets them. */
const ownHeaders =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|accept-encoding)$/i;

interface Route {
  url: URL;
  /** Already checked, never empty. */
  addresses: readonly string[];
  deadline: AbortSignal;
}

/** Connects to one of the route's addresses, sends the request and reads the reply; see `send`. */
export function exchange(request: OutboundRequest, route: Route): Promise<OutboundReply> {
  return new Promise((resolve, reject) => {
    // The kind of an error depends on the phase of the connection.
    let phase: OutboundErrorKind = "connect";
    const outgoing = open(request, route);
    const fail = (cause?: unknown) => {
      const kind = route.deadline.aborted ? "timeout" : isHeaderOverflow(cause) ? "too_large" : phase;
      reject(cause instanceof OutboundError ? cause : new OutboundError(kind, { cause }));
      outgoing.destroy();
    };
    outgoing.on("socket", (socket) => {
      socket.once("connect", () => (phase = route.url.protocol === "https:" ? "tls" : "reset"));
      socket.once("secureConnect", () => (phase = "reset"));
    });
    outgoing.on("error", fail);
    outgoing.on("close", () => fail());
    outgoing.on("response", (incoming) => {
      readBody(incoming, request).then(({ body, truncated }) => {
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body, truncated });
        outgoing.destroy();
      }, fail);
    });
    if (request.onSent) outgoing.once("finish", request.onSent);
    outgoing.end(request.body);
  });
}

function open(request: OutboundRequest, { url, addresses, deadline }: Route): ClientRequest {
  // IPv4 first: Lambda has no route to IPv6 addresses outside of a VPC.
  const found = addresses
    .map((address) => ({ address, family: isIP(address) }))
    .sort((one, other) => one.family - other.family);
  const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, found);
  const given = Object.entries(request.headers ?? {}).filter(([name]) => !ownHeaders.test(name));
  const options = {
    method: request.method,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port,
    path: url.pathname + url.search,
    headers: { ...Object.fromEntries(given), "accept-encoding": "identity" },
    lookup,
    // Node gets all addresses from `lookup` and tries them one after the other.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(Math.min(addressMsMax, request.timeoutMs / 2)),
    // Each request opens a new connection. A reused connection would outlive the check of its address, would be shared
    // by workspaces that use the same host name, and would be dead after the container was frozen.
    agent: false,
    maxHeaderSize: headerBytesMax,
    signal: deadline,
  } as const;
  try {
    return url.protocol === "https:" ? httpsRequest(options) : httpRequest(options);
  } catch (cause) {
    // The URL parser has checked the rest. Node refuses only a header's name or value here.
    throw new OutboundError("bad_header", { cause });
  }
}

/** Keeps at most `maxBytes`, so that an endless body cannot fill the memory. */
function readBody(
  incoming: IncomingMessage,
  { maxBytes, overflow }: OutboundRequest,
): Promise<{ body: Buffer; truncated: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size <= maxBytes) return;
      incoming.pause();
      if (overflow === "truncate") resolve({ body: Buffer.concat(chunks), truncated: true });
      else reject(new OutboundError("too_large"));
    });
    incoming.on("end", () => resolve({ body: Buffer.concat(chunks), truncated: false }));
    incoming.on("error", reject);
  });
}

function isHeaderOverflow(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "HPE_HEADER_OVERFLOW";
}
