// Asks the Lambda authorizer about each connection, subscription and publication. Facts (AWS's pages): the names of the
// event and of the result, no cache unless the result has `ttlOverride`, at most an hour. Assumed: what the cache is
// keyed by (token, operation and channel), and that a refusal is cached too.
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { AwsError } from "../aws-json.ts";
import type { Channel, Mode } from "./channel.ts";

export interface AuthorizerEvent {
  authorizationToken: string;
  requestContext: {
    apiId: string;
    accountId: string;
    requestId: string;
    operation: "EVENT_CONNECT" | "EVENT_SUBSCRIBE" | "EVENT_PUBLISH";
    /** Both are absent at EVENT_CONNECT. */
    channelNamespaceName?: string;
    channel?: string;
  };
  requestHeaders: Record<string, string>;
}

export type Authorizer = (event: AuthorizerEvent) => Promise<unknown>;

const Result = z.object({
  isAuthorized: z.boolean(),
  handlerContext: z._default(z.record(z.string(), z.string()), {}),
  ttlOverride: z._default(z.int().check(z.gte(0), z.lte(3_600)), 0),
});
type Result = z.infer<typeof Result>;

/** Who calls. The handler of a namespace gets it as `ctx.identity`. */
export type Identity = { handlerContext: Result["handlerContext"] } | { accountId: string };

/** The headers of a request with lower-case names, or `authorization` of a message. */
export type Headers = Record<string, string>;

const cachedMax = 10_000;

export class Authorization {
  readonly #authorizer: Authorizer;
  readonly #onError: (thrown: unknown) => void;
  readonly #cache = new Map<string, { result: Result; until: number }>();

  constructor(authorizer: Authorizer, onError: (thrown: unknown) => void) {
    this.#authorizer = authorizer;
    this.#onError = onError;
  }

  connect(headers: Headers): Promise<Identity> {
    return this.#ask("EVENT_CONNECT", headers);
  }

  subscribe(channel: Channel, headers: Headers): Promise<Identity> {
    return this.#ask("EVENT_SUBSCRIBE", headers, channel);
  }

  /** `isSigned`: the caller's signature was found right. */
  async publish(channel: Channel, headers: Headers, isSigned: boolean): Promise<Identity> {
    const mode: Mode = isSigned ? "iam" : "lambda";
    if (channel.namespace.publish !== mode) throw unauthorized();
    return isSigned ? { accountId: "local" } : this.#ask("EVENT_PUBLISH", headers, channel);
  }

  async #ask(
    operation: AuthorizerEvent["requestContext"]["operation"],
    { authorization: token, ...headers }: Headers,
    channel?: Channel,
  ): Promise<Identity> {
    // A signature is no token. AWS accepts signed messages, and no client of this service signs any.
    if (!token || isSignature(token)) throw unauthorized();
    const key = JSON.stringify([operation, channel?.path, token]);
    const known = this.#cache.get(key);
    const isKnown = known && known.until > Date.now();
    const result = isKnown ? known.result : await this.#call(operation, token, headers, channel);
    if (!isKnown && result.ttlOverride > 0) {
      if (this.#cache.size >= cachedMax) this.#cache.clear();
      this.#cache.set(key, { result, until: Date.now() + result.ttlOverride * 1_000 });
    }
    if (!result.isAuthorized) throw unauthorized();
    return { handlerContext: result.handlerContext };
  }

  /** An authorizer that fails, or returns something else than a result, refuses. */
  async #call(
    operation: AuthorizerEvent["requestContext"]["operation"],
    authorizationToken: string,
    requestHeaders: Headers,
    channel?: Channel,
  ): Promise<Result> {
    const requestContext = {
      apiId: "local",
      accountId: "local",
      requestId: randomUUID(),
      operation,
      ...(channel && { channelNamespaceName: channel.name, channel: channel.path }),
    };
    try {
      return Result.parse(await this.#authorizer({ authorizationToken, requestContext, requestHeaders }));
    } catch (thrown) {
      this.#onError(thrown);
      throw unauthorized();
    }
  }
}

export const isSignature = (authorization: string | undefined) => authorization?.startsWith("AWS4-") === true;

export function unauthorized(message = "You are not authorized to make this call."): AwsError {
  return new AwsError("UnauthorizedException", message);
}
