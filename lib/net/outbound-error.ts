/** Why there is no response, with its public message: without addresses, host names or text of the other side. */
const messages = {
  bad_url: "The URL is not valid.",
  bad_header: "A request header has characters that HTTP does not allow.",
  refused_address: "The URL does not lead to a public address.",
  dns: "The host name could not be resolved.",
  connect: "The connection could not be made.",
  tls: "The TLS handshake failed.",
  reset: "The connection ended before the response was complete.",
  timeout: "The response was not complete in time.",
  too_large: "The response is too large.",
} as const;

export type OutboundErrorKind = keyof typeof messages;

/** A request without a response. `message` is public. `cause` can have addresses and belongs in the log only. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, options: { message?: string; cause?: unknown } = {}) {
    super(options.message ?? messages[kind], { cause: options.cause });
    this.kind = kind;
  }
}
