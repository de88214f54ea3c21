// Calls the source of a function with the event that API Gateway would send.
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { checkedReply } from "../../infra/local/invoke.ts";
import { forUsers } from "../../lib/browser/gate.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { pages } from "../../lib/http/html-page.ts";
import { type Handler, lambda, openLambda, readLambda } from "../../lib/http/lambda.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { type Credentials, contextOf, eventOf, type RequestOptions } from "./event.ts";
import { inContainer } from "./exact/containers.ts";
import { expectNoSecrets, noteSecret, showsSecrets } from "./known-secrets.ts";

export { type Credentials, contextOf, eventOf, type RequestOptions } from "./event.ts";

/** Creates a workspace, whose secrets are known. The tests of one file share a table, as tenants do. */
export async function newWorkspace(): Promise<Credentials> {
  const { apiKey } = await Workspace.create({ name: "test" });
  (await Workspace.get({ workspace: apiKey }))?.cursorSecret.reveal();
  return { apiKey, ...(await AuthToken.create({ workspace: apiKey })) };
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  body: any;
  /** `result.data`. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  data: any;
  error: { status: string; message: string; details?: Record<string, unknown> } | undefined;
}

const handlers = new WeakMap<Endpoint, Handler>();

/** The handler that the endpoint's file exports. */
function handlerOf(declared: Endpoint): Handler {
  const handler = handlers.get(declared) ?? newHandlerOf(declared);
  handlers.set(declared, handler);
  return handler;
}

function newHandlerOf(declared: Endpoint): Handler {
  if (declared.envelope === "page") return openLambda(declared, pages);
  return (declared.isWrite ? lambda : readLambda)(declared, declared.users && forUsers);
}

/**
 * Calls an endpoint. Compares a successful reply with the declared schema. Fails if Lambda would refuse the reply.
 */
export async function call(endpoint: Pick<Endpoint, "name">, options: RequestOptions = {}): Promise<Reply> {
  const declared = endpoint as Endpoint;
  const event = eventOf(declared, options);
  const context = contextOf(declared.name, options.remainingMs);
  const reply = await inContainer(declared, () => handlerOf(declared)(event as never, context as never));
  const {
    statusCode,
    headers,
    body: text,
  } = checkedReply(reply) as { statusCode: number; headers: Record<string, string>; body: string };
  noteSecret(options.as?.authToken ?? "");
  if (!showsSecrets(declared.name)) expectNoSecrets(text);
  const isPage = headers["content-type"]?.startsWith("text/html") === true;
  const body = isPage ? text : text && JSON.parse(text);
  const data = isPage || declared.envelope === "raw" ? body : body.result?.data;
  if (statusCode === 200) expectDeclared(declared.reply.parse(data), data);
  return { status: statusCode, headers, body, data, error: isPage ? undefined : body.error };
}

/** `toEqual` is slow, and most replies have no key that zod drops. */
function expectDeclared(parsed: unknown, data: unknown): void {
  if (!isDeepStrictEqual(parsed, data)) expect(withoutProto(parsed)).toEqual(withoutProto(data));
}

/** The data without keys `__proto__`: zod drops them when it parses a record, and replies can have them. */
function withoutProto(data: unknown): unknown {
  return data === undefined
    ? data
    : JSON.parse(JSON.stringify(data), (key, value) => (key === "__proto__" ? undefined : value));
}

/** As `call`, for calls that must succeed. Returns `result.data`. */
export async function must(endpoint: Pick<Endpoint, "name">, options: RequestOptions): Promise<Reply["data"]> {
  const reply = await call(endpoint, options);
  expect(reply.error).toBeUndefined();
  return reply.data;
}
