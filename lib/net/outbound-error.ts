/** Why no answer came, with what may be said of it in public: no address, no name, nothing that the other side said. */
const messages = {
  bad_url: "The URL is not valid.",
  bad_header: "A request header holds characters that HTTP does not allow.",
  refused_address: "The URL does not lead to a public address.",
  dns: "The host name could not be resolved.",
  connect: "The connection could not be made.",
  tls: "The TLS handshake failed.",
  reset: "The connection ended before a whole HTTP answer had come.",
  timeout: "There was no whole answer in time.",
  too_large: "The answer is too large.",
} as const;

export type OutboundErrorKind = keyof typeof messages;

/** A request that got no answer. `message` is public; `cause` may hold addresses and belongs in the log only. */
export class OutboundError extends Error {
  readonly kind: OutboundErrorKind;

  constructor(kind: OutboundErrorKind, options: { message?: string; cause?: unknown } = {}) {
    super(options.message ?? messages[kind], { cause: options.cause });
    this.name = "OutboundError";
    this.kind = kind;
  }
}
