// From a declaration to a Lambda handler. The order of checks is decision T3's, the one catch is here, and every call
// ends before the gateway gives up on it.
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { type CallRecord, inCall, newCallRecord } from "../call.ts";
import { ApiError } from "../errors.ts";
import { log } from "../log.ts";
import type { SettingName } from "../store/setting.ts";
import { authenticate } from "./auth.ts";
import type { Call, Caller, Endpoint } from "./endpoint.ts";
import { type Answer, fail, succeed } from "./envelope.ts";
import { beginOnce, type Settle } from "./idempotency.ts";
import { logCall, type Trace, toApiError } from "./log-call.ts";
import { readData } from "./request.ts";
import { validate } from "./validate.ts";

/** Left of Lambda's own time for the answer to get out. */
const reserveMs = 250;

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;

/** What stands before an endpoint; what it has no use for stays out of its bundle. */
interface Gates {
  identify: typeof authenticate;
  once?: typeof beginOnce;
}

/** The Lambda handler of an endpoint. */
export function lambda(declared: Endpoint): Handler {
  return adapter(declared, { identify: authenticate, once: beginOnce });
}

/** The same for an endpoint that only reads: without what makes writes safe to send again, its bundle is 30 KB less. */
export function readLambda(declared: Endpoint): Handler {
  if (declared.isWrite) throw new Error(`${declared.name} writes: its handler is lambda().`);
  return adapter(declared, { identify: authenticate });
}

/** The same for an endpoint without credentials and store: without what checks credentials, its bundle is a tenth. */
export function openLambda(declared: Endpoint): Handler {
  const identify = async () => {
    throw new Error(`${declared.name} cannot check credentials.`);
  };
  return adapter(declared, { identify });
}

interface Running extends Trace {
  declared: Endpoint;
  record: CallRecord;
  deadline: AbortController;
  /** Owed once the endpoint has run. */
  settle?: Settle;
}

function adapter(declared: Endpoint, gates: Gates): Handler {
  return async (event, context) => {
    const startedAt = performance.now();
    const deadline = new AbortController();
    const record = newCallRecord(event.requestContext.requestId, deadline.signal);
    const running: Running = { declared, record, deadline };
    const leftMs = () => context.getRemainingTimeInMillis() - reserveMs;
    const answer = await inCall(record, async () => {
      const limitMs = Math.min(declared.timeoutSeconds * 1_000, leftMs());
      const answer = await withDeadline(deadline, limitMs, serve(running, gates, event)).catch((thrown) => {
        running.failure = toApiError(thrown, declared);
        return fail(running.failure, record.requestId, declared.failureCode);
      });
      await settle(running, answer, leftMs());
      return answer;
    });
    logCall(declared, record, running, answer, performance.now() - startedAt);
    return answer;
  };
}

async function serve(running: Running, { identify, once }: Gates, event: APIGatewayProxyEventV2): Promise<Answer> {
  const { declared, record } = running;
  const { method, path } = event.requestContext.http;
  const request = { method, path, host: event.requestContext.domainName };
  if (declared.method !== "ANY" && method !== declared.method) throw wrongMethod(method, declared.method);
  if (declared.credentials === "none") {
    const data = validate(declared.data, event.pathParameters ?? {});
    const reply = await declared.handle({ data, request, caller: undefined as unknown as Caller });
    return succeed(declared, reply, record.requestId);
  }
  const caller = await identify(event.headers, settingsOf(declared));
  const { workspace } = caller;
  running.workspace = workspace;
  if (declared.events.length > 0) record.wantedEvents = async () => (await caller.setting("webhooks")).wantedEvents;
  const data = validate(declared.data, await readData(event));
  if (declared.needs.length > 0) await checkSwitches(declared, caller);
  if (declared.isWrite && once) {
    const { replay, settle, seed } = await once(declared, workspace, event.headers, data);
    running.isReplay = replay !== undefined;
    if (replay) return { ...replay, headers: { ...replay.headers, "x-request-id": record.requestId } };
    if (settle) running.settle = settle;
    if (seed) record.ids = { seed, made: 0 };
  }
  return succeed(declared, await declared.handle({ data, caller, request } as Call<never>), record.requestId);
}

/** The gateway routes every method of a path here, so that this answer too is in the envelope (decision T6). */
function wrongMethod(method: string, allow: string): ApiError {
  return new ApiError("INVALID_ARGUMENT", `The method ${method} is not allowed here: use ${allow}.`, {
    http: { code: 405, headers: { allow } },
  });
}

function settingsOf(declared: Endpoint): SettingName[] {
  const implied: SettingName[] = [];
  if (declared.needs.length > 0) implied.push("switches");
  if (declared.events.length > 0) implied.push("webhooks");
  return [...implied, ...declared.settings];
}

async function checkSwitches(declared: Endpoint, caller: Caller): Promise<void> {
  const switches = await caller.setting("switches");
  const off = declared.needs.find((name) => !switches[name]);
  if (off) throw new ApiError("FAILED_PRECONDITION", `The option ${off} is not enabled for this workspace.`);
}

/** The answer stands, whether or not it can be stored for the call's repetitions. */
async function settle(running: Running, answer: Answer, limitMs: number): Promise<void> {
  const { settle, declared, record, deadline, failure } = running;
  // Past the deadline, the work may still be going on: nobody may repeat it before the claim ends by itself.
  if (!settle || deadline.signal.aborted) return;
  await withDeadline(deadline, limitMs, settle(answer, failure?.status)).catch((cause) => {
    log("error", "A reply was not stored.", { requestId: record.requestId, endpoint: declared.name, cause });
  });
}

/** The work's result, or DEADLINE_EXCEEDED; requests still under way are then aborted. */
async function withDeadline<T>(deadline: AbortController, limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const failure = new ApiError("DEADLINE_EXCEEDED", "The call did not finish in time. Try again.");
      reject(failure);
      deadline.abort(failure);
    }, limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
