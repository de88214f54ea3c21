// Makes a Lambda handler from an endpoint's declaration, with the checks in the order of DECISIONS.md#order-of-checks.
// Only this file turns an exception into a reply. Every call ends before the gateway's timeout.
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { inCall } from "../call.ts";
import { beside, pause } from "../concurrency.ts";
import { ApiError } from "../errors.ts";
import { log, newInvocation } from "../log.ts";
import { monotonicMs } from "../monotonic.ts";
import { howToTurnOn } from "../schema/setting-names.ts";
import type { SettingName } from "../store/setting.ts";
import { authenticate, requireScope } from "./auth.ts";
import { besideCall, endCall, type LiveCall, newLiveCall, withDeadline } from "./call-end.ts";
import { admit } from "./call-rate.ts";
import { type Call, type Caller, type Endpoint, methodsOf } from "./endpoint.ts";
import { fail, failPage, type HttpReply, succeed } from "./envelope.ts";
import { type KeyedCall, withKey } from "./keyed-call.ts";
import { logCall, toApiError } from "./log-call.ts";
import { unknownPath } from "./nearest.ts";
import { pastTheFront } from "./origin.ts";
import { readData } from "./request.ts";
import { ignoredFields, innerUnknownFields, unknownFields } from "./unknown-fields.ts";
import { validate } from "./validate.ts";

/** Reserved at the end of Lambda's own time, to send the reply. */
const reserveMs = 250;

/** How long a call waits for the booking of its workspace's calls, once in ten calls. */
const bookingMsMax = 1_000;

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpReply>;

/** The steps before an endpoint runs. An endpoint that omits one of them has a smaller bundle. */
interface Gates {
  identify: typeof authenticate;
  admit?: typeof admit;
  withKey?: typeof withKey;
}

export function lambda(declared: Endpoint): Handler {
  return adapter(declared, { identify: authenticate, admit, withKey });
}

/** The same for an endpoint that only reads. Its bundle is smaller, without the code for idempotency keys. */
export function readLambda(declared: Endpoint): Handler {
  if (declared.isWrite) throw new Error(`${declared.name} writes: it needs lambda().`);
  return adapter(declared, { identify: authenticate, admit });
}

/**
 * The same for an endpoint that needs no credentials and no table. Its bundle is much smaller, without the check of
 * credentials.
 */
export function openLambda(declared: Endpoint): Handler {
  const identify = async () => {
    throw new Error(`${declared.name} needs credentials: openLambda() cannot verify them.`);
  };
  return adapter(declared, { identify });
}

interface Running extends KeyedCall {
  /** Counts calls beside the endpoint's work. It never throws. */
  booking?: Promise<void> | undefined;
  /** Fields of the request that the endpoint ignores. */
  ignored?: readonly string[];
}

function adapter(declared: Endpoint, gates: Gates): Handler {
  return (event, context) => {
    const call = newLiveCall(event.requestContext.requestId);
    call.record.invocation = newInvocation(context);
    const leftMs = () => context.getRemainingTimeInMillis() - reserveMs;
    return inCall(call.record, () => answer({ declared, record: call.record }, call, leftMs, gates, event));
  };
}

async function answer(
  running: Running,
  call: LiveCall,
  leftMs: () => number,
  gates: Gates,
  event: APIGatewayProxyEventV2,
): Promise<HttpReply> {
  const startedAt = monotonicMs();
  const { declared, record } = running;
  const limitMs = Math.min(declared.timeoutSeconds * 1_000, leftMs());
  const reply = await withDeadline(limitMs, serve(running, gates, event)).catch(async (thrown) => {
    running.failure = toApiError(thrown, declared);
    if (!(await endCall(call, running.failure, leftMs()))) keepKey(running);
    const refuse = wantsPage(declared, event.headers) ? failPage : fail;
    return refuse(running.failure, record.requestId, declared.failureCode);
  });
  await storeReply(running, reply, leftMs());
  const waitMs = (record.replyFrom ?? 0) - Date.now();
  if (waitMs > 0) await pause(waitMs);
  if (running.booking) await withDeadline(Math.min(bookingMsMax, leftMs()), running.booking).catch(() => {});
  logCall(declared, record, running, reply, monotonicMs() - startedAt);
  // Not part of a stored reply: a repeated call can have other unknown fields.
  return { ...reply, headers: { ...reply.headers, ...ignoredFields(running.ignored ?? []) } };
}

async function serve(running: Running, gates: Gates, event: APIGatewayProxyEventV2): Promise<HttpReply> {
  const { declared, record } = running;
  // Not thrown: it is a failure of the address, which no endpoint declares.
  running.failure = pastTheFront(event.headers);
  if (running.failure) return fail(running.failure, record.requestId, declared.failureCode);
  const { method, path } = event.requestContext.http;
  const request = { method, path, host: event.requestContext.domainName };
  const version = event.pathParameters?.version ?? "v1";
  // Not thrown: it is a failure of the path, which no endpoint declares.
  if (version !== "v1" && version !== "v2") {
    return fail(unknownPath(declared.path), record.requestId);
  }
  const methods = methodsOf(declared);
  if (declared.method !== "ANY" && !methods.includes(method)) throw wrongMethod(method, methods);
  if (declared.credentials === "none") {
    const data = validate(declared.data, event.pathParameters ?? {});
    const reply = await declared.handle({ data, request, caller: undefined as unknown as Caller });
    return succeed(declared, reply, record.requestId);
  }
  const caller = await callerOf(running, gates, event.headers);
  const data = await dataOf(running, event);
  const run = async () => {
    caller.readSettings();
    return succeed(declared, await declared.handle({ data, caller, request } as Call<never>), record.requestId);
  };
  const answering = () =>
    declared.isWrite && gates.withKey ? gates.withKey(running, caller, event.headers, data, run) : run();
  if (declared.needs.length === 0) return answering();
  // The endpoint reads while its switches are read. Its first write waits for them.
  record.mayWrite = checkSwitches(declared, caller);
  return beside(record.mayWrite, answering());
}

/** Whether a person sees the reply. Programs get failures of such an endpoint in the envelope. */
const wantsPage = ({ envelope }: Endpoint, { accept = "" }: APIGatewayProxyEventV2["headers"]) =>
  envelope === "page" && accept.includes("text/html");

/** Identifies the caller, checks the scope of the token, and counts the call of the workspace. */
async function callerOf(
  running: Running,
  { identify, admit }: Gates,
  headers: APIGatewayProxyEventV2["headers"],
): Promise<Caller> {
  const { declared, record } = running;
  const caller = await identify(headers, settingsOf(declared));
  running.workspace = caller.workspace;
  running.authTokenId = caller.authTokenId;
  requireScope(caller.rights, declared.scope);
  running.booking = inCall(besideCall(record).record, () => admit?.(caller.record));
  if (declared.events.length > 0) record.webhooks = () => caller.setting("webhooks");
  return caller;
}

/** The valid `data` of the request. Unknown fields are refused, or noted for the reply. */
async function dataOf(running: Running, event: APIGatewayProxyEventV2) {
  const { declared } = running;
  const sent = await readData(event);
  const unknown = unknownFields(declared.data, sent);
  const [refused, ignored] = declared.refusesUnknownFields ? [unknown, []] : [[], unknown];
  running.ignored = [...ignored, ...innerUnknownFields(declared.data, sent)];
  return validate(declared.data, sent, refused);
}

/** The gateway routes every method of a path to its endpoint (DECISIONS.md#unknown-paths-and-methods). */
function wrongMethod(method: string, methods: readonly string[]): ApiError {
  return new ApiError("INVALID_ARGUMENT", `The method ${method} is not allowed here: use ${methods.join(" or ")}.`, {
    http: { code: 405, headers: { allow: methods.join(", ") } },
  });
}

function settingsOf(declared: Endpoint): SettingName[] {
  const implied: SettingName[] = [];
  if (declared.needs.length > 0) implied.push("switches");
  if (declared.events.length > 0) implied.push("webhooks");
  return [...implied, ...declared.settings];
}

/** See DECISIONS.md#switches. */
async function checkSwitches(declared: Endpoint, caller: Caller): Promise<void> {
  const switches = await caller.setting("switches");
  const off = declared.needs.find((name) => !switches[name]);
  if (!off) return;
  throw new ApiError("FAILED_PRECONDITION", `The switch ${off} is off for this workspace. ${howToTurnOn(off)}`);
}

/**
 * A write may still be made after the reply. No other call may repeat it before the lease of the claim ends, so the key
 * is not released.
 */
function keepKey(running: Running): void {
  delete running.storeReply;
  log("warn", "A write did not end in time.", { endpoint: running.declared.name });
}

/**
 * Stores the reply for later calls with the same key, or releases the key. A failure is only logged: the caller still
 * gets the reply.
 */
async function storeReply({ declared, record, failure, storeReply }: Running, reply: HttpReply, limitMs: number) {
  if (!storeReply) return;
  const closing = besideCall(record);
  const storing = inCall(closing.record, () => storeReply(reply, failure));
  await withDeadline(limitMs, storing).catch(async (cause) => {
    log("error", "A reply was not stored.", { endpoint: declared.name, cause });
    await endCall(closing, cause, 0);
  });
}
