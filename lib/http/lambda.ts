// Makes a Lambda handler from an endpoint's declaration, with the checks in the order of DECISIONS.md#order-of-checks.
// Only this file turns an exception into a reply. Every call ends before the gateway's timeout.

import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { besideCall, inCall, newCall } from "../call.ts";
import { beside, pause } from "../concurrency.ts";
import { log, newInvocation } from "../log.ts";
import { monotonicMs } from "../monotonic.ts";
import { patienceShare } from "../patience.ts";
import { authenticate, requireScope } from "./auth.ts";
import { endCall, withDeadline } from "./call-end.ts";
import { admit, payingSeconds } from "./call-rate.ts";
import type { Caller, CallingUser, Endpoint } from "./endpoint.ts";
import { fail, type HttpReply, succeed } from "./envelope.ts";
import type { pages } from "./html-page.ts";
import { withKey } from "./keyed-call.ts";
import { type EndpointCall, logCall, toApiError } from "./log-call.ts";
import { unknownPath } from "./nearest.ts";
import { pastTheFront } from "./request.ts";
import { checkSwitches, dataOf, type EndpointRequest, requestOf, requireMethod, settingsOf } from "./requirements.ts";
import { ignoredFields } from "./unknown-fields.ts";
import { validate } from "./validate.ts";

/** Reserved at the end of Lambda's own time, to send the reply. */
const reserveMs = 250;

/** How long a call waits for the booking of its workspace's calls, once in ten calls. */
const bookingMsMax = 1_000;

export { endpoint } from "./endpoint.ts";

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpReply>;

/** The steps before an endpoint runs. An endpoint that omits one of them has a smaller bundle. */
interface Gates {
  identify: typeof authenticate;
  admit?: typeof admit;
  payingSeconds?: typeof payingSeconds;
  withKey?: typeof withKey;
  users?: UserGate | undefined;
  pages?: typeof pages | undefined;
}

/** The steps of calls that users make with their tokens (`lib/browser/gate.ts`). */
export interface UserGate {
  /** Whether a user calls, not a server. */
  isCalling(headers: Headers): boolean;
  preflight(requestId: string): HttpReply;
  /** Headers that let a page read the reply. */
  readableBy(origin: string | undefined): Record<string, string>;
  identify: typeof authenticate;
  /** Fills fields that name who acts. Changes `data`. PERMISSION_DENIED for fields that users do not send. */
  fill(declared: Endpoint, user: CallingUser, data: object): void;
  /** PERMISSION_DENIED unless the user may make the call. */
  requireAccess(declared: Endpoint, caller: Caller, data: unknown): Promise<void>;
  /** The result without what users do not see. */
  shown(declared: Endpoint, result: unknown): unknown;
}

type Headers = APIGatewayProxyEventV2["headers"];

/** `users`: the gate for an endpoint that users may call. */
export function lambda(declared: Endpoint, users?: UserGate): Handler {
  return adapter(declared, { identify: authenticate, admit, payingSeconds, withKey, users });
}

/** The same for an endpoint that only reads. Its bundle is smaller, without the code for idempotency keys. */
export function readLambda(declared: Endpoint, users?: UserGate): Handler {
  if (declared.isWrite) throw new Error(`${declared.name} writes: it needs lambda().`);
  return adapter(declared, { identify: authenticate, admit, payingSeconds, users });
}

/**
 * The same for an endpoint that needs no credentials and no table. Its bundle is much smaller, without the check of
 * credentials. `pages`: for an endpoint with the envelope `page`.
 */
export function openLambda(declared: Endpoint, forPeople?: typeof pages): Handler {
  const identify = async () => {
    throw new Error(`${declared.name} needs credentials: openLambda() cannot verify them.`);
  };
  return adapter(declared, { identify, pages: forPeople });
}

function adapter(declared: Endpoint, gates: Gates): Handler {
  if (!declared.users !== !gates.users) throw new Error(`${declared.name}: users need the gate, and only they do.`);
  if ((declared.envelope === "page") !== (gates.pages !== undefined))
    throw new Error(`${declared.name}: the envelope "page" needs the pages, and only it does.`);
  return async (event, context) => {
    const { http, requestId } = event.requestContext;
    // A browser asks before its calls. This is no call: nothing is read, counted or logged.
    if (gates.users && http.method === "OPTIONS" && !pastTheFront(event.headers))
      return gates.users.preflight(requestId);
    const leftMs = () => context.getRemainingTimeInMillis() - reserveMs;
    const limitMs = Math.min(declared.timeoutSeconds * 1_000, leftMs());
    const call = newCall(requestId, undefined, patienceShare * limitMs);
    call.invocation = newInvocation(context);
    return inCall(call, () => answer({ declared, call }, { limitMs, leftMs }, gates, event));
  };
}

async function answer(
  answering: EndpointCall,
  { limitMs, leftMs }: { limitMs: number; leftMs: () => number },
  gates: Gates,
  event: APIGatewayProxyEventV2,
): Promise<HttpReply> {
  const startedAt = monotonicMs();
  const { declared, call } = answering;
  const reply = await withDeadline(limitMs, serve(answering, leftMs, gates, event)).catch(async (thrown) => {
    answering.failure = toApiError(thrown, declared);
    if (!(await endCall(call, answering.failure, leftMs()))) keepKey(answering);
    const refuse = wantsPage(event.headers) ? (gates.pages?.fail ?? fail) : fail;
    return refuse(answering.failure, call.requestId, declared.failureCode);
  });
  await storeReply(answering, reply, leftMs());
  const waitMs = (call.replyFrom ?? 0) - Date.now();
  if (waitMs > 0) await pause(waitMs);
  if (answering.booking) await withDeadline(Math.min(bookingMsMax, leftMs()), answering.booking).catch(() => {});
  logCall(answering, reply, monotonicMs() - startedAt);
  // Not part of a stored reply: a repeated call can have other unknown fields.
  const readable = gates.users?.readableBy(event.headers.origin);
  return { ...reply, headers: { ...reply.headers, ...ignoredFields(answering.ignored ?? []), ...readable } };
}

async function serve(
  answering: EndpointCall,
  leftMs: () => number,
  gates: Gates,
  event: APIGatewayProxyEventV2,
): Promise<HttpReply> {
  const { declared, call } = answering;
  // Not thrown: it is a failure of the address, which no endpoint declares.
  answering.failure = pastTheFront(event.headers);
  if (answering.failure) return fail(answering.failure, call.requestId, declared.failureCode);
  const request = requestOf(declared, event);
  const version = event.pathParameters?.version ?? "v1";
  // Not thrown: it is a failure of the path, which no endpoint declares.
  if (version !== "v1" && version !== "v2") {
    return fail(unknownPath(declared.path), call.requestId);
  }
  requireMethod(declared, request);
  if (declared.credentials === "none") {
    const data = validate(declared.data, event.pathParameters ?? {});
    return runWith(answering, undefined, data, request, gates);
  }
  const caller = await callerOf(answering, gates, event.headers);
  const reply = () => replyTo(answering, caller, gates, event);
  return gates.payingSeconds ? gates.payingSeconds(answering, caller.buckets, leftMs, reply) : reply();
}

async function replyTo(answering: EndpointCall, caller: Caller, gates: Gates, event: APIGatewayProxyEventV2) {
  const { declared, call } = answering;
  const { users } = gates;
  const data = await dataOf(answering, event, (sent) => caller.user && users?.fill(declared, caller.user, sent));
  const runOnce = () => {
    caller.readSettings();
    return runWith(answering, caller, data, requestOf(declared, event), gates);
  };
  const replying = () =>
    declared.isWrite && gates.withKey ? gates.withKey(answering, caller, event.headers, data, runOnce) : runOnce();
  if (!caller.user && declared.needs.length === 0) return replying();
  // The endpoint begins to read while its switches and the user's access are read. Its first write waits for them. A
  // user's call sees nothing before. So its reads do not tell a forbidden document from a missing one.
  const permit = async () => caller.user && users?.requireAccess(declared, caller, data);
  call.mayWrite = inCall({ ...call }, () => beside(checkSwitches(declared, caller), permit()));
  if (caller.user) call.maySee = call.mayWrite;
  return beside(call.mayWrite, replying());
}

/** Runs the endpoint, which can say another message than its declared one, and add headers. */
async function runWith(
  { declared, call }: EndpointCall,
  caller: Caller | undefined,
  data: unknown,
  request: EndpointRequest,
  { users, pages }: Gates,
): Promise<HttpReply> {
  let { message } = declared;
  const headers = {};
  const say = (text: string) => {
    message = text;
  };
  const addHeaders = (more: Record<string, string>) => void Object.assign(headers, more);
  const result = await declared.handle({ data, caller, request, say, addHeaders });
  const shown = caller?.user && users ? users.shown(declared, result) : result;
  const reply = (pages?.succeed ?? succeed)({ ...declared, message }, shown, call.requestId);
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** Whether a person sees the reply. Programs get failures of a page in the envelope. */
const wantsPage = ({ accept = "" }: Headers) => accept.includes("text/html");

/** Identifies the caller, checks the scope of the token, and counts the workspace's call. */
async function callerOf(answering: EndpointCall, { identify, admit, users }: Gates, headers: Headers): Promise<Caller> {
  const { declared, call } = answering;
  const ofUser = users?.isCalling(headers) ? users : undefined;
  const caller = await (ofUser?.identify ?? identify)(headers, settingsOf(declared, ofUser !== undefined));
  answering.workspace = caller.workspace;
  call.authTokenId = caller.authTokenId;
  if (!ofUser) requireScope(caller.rights, declared.scope);
  answering.booking = inCall(besideCall(call), () => admit?.(caller.buckets));
  if (declared.events.length > 0) call.webhooks = () => caller.setting("webhooks");
  return caller;
}

/**
 * A write in flight can still be made after the reply. No other call may repeat it before the lease of the claim ends,
 * so the key is not released.
 */
function keepKey(answering: EndpointCall): void {
  delete answering.storeReply;
  log("warn", "A write did not end in time.", { endpoint: answering.declared.name });
}

/**
 * Stores the reply for later calls with the same key, or releases the key. A failure is only logged: the caller still
 * gets the reply.
 */
async function storeReply({ declared, call, failure, storeReply }: EndpointCall, reply: HttpReply, limitMs: number) {
  if (!storeReply) return;
  const closing = besideCall(call);
  const storing = inCall(closing, () => storeReply(reply, failure));
  await withDeadline(limitMs, storing).catch(async (cause) => {
    log("error", "A reply was not stored.", { endpoint: declared.name, cause });
    await endCall(closing, cause, 0);
  });
}
