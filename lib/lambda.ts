// From a declaration to a Lambda handler. The order of checks is decision T3's, the one catch is here, and every call
// ends before the gateway gives up on it.
import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { authenticate } from "./auth.ts";
import { type CallRecord, costOf, inCall, newCallRecord } from "./call.ts";
import type { Call, Caller, Endpoint } from "./endpoint.ts";
import { type Answer, fail, succeed } from "./envelope.ts";
import { ApiError, type ErrorStatus } from "./errors.ts";
import { log } from "./log.ts";
import { readData } from "./request.ts";
import type { SettingName } from "./store/setting.ts";
import { validate } from "./validate.ts";

/** Statuses that every endpoint can answer with, so that none has to declare them. */
export const commonErrors = [
  "INVALID_ARGUMENT",
  "PERMISSION_DENIED",
  "INTERNAL",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
] as const satisfies readonly ErrorStatus[];

/** Left of Lambda's own time for the answer to get out. */
const reserveMs = 250;

export type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<Answer>;

/** The Lambda handler of an endpoint. */
export function lambda(declared: Endpoint): Handler {
  return adapter(declared, authenticate);
}

/** The same for an endpoint without credentials and store: without what checks credentials, its bundle is a tenth. */
export function openLambda(declared: Endpoint): Handler {
  return adapter(declared, async () => {
    throw new Error(`${declared.name} cannot check credentials.`);
  });
}

function adapter(declared: Endpoint, identify: typeof authenticate): Handler {
  return async (event, context) => {
    const startedAt = performance.now();
    const requestId = event.requestContext.requestId;
    const deadline = new AbortController();
    const record = newCallRecord(requestId, deadline.signal);
    const limitMs = Math.min(declared.timeoutSeconds * 1_000, context.getRemainingTimeInMillis() - reserveMs);
    const trace: Trace = {};
    const answer = await inCall(record, () =>
      withDeadline(deadline, limitMs, serve(declared, identify, event, record, trace)).then((data) =>
        succeed(declared, data, requestId),
      ),
    ).catch((thrown) => {
      trace.failure = toApiError(thrown, declared);
      return fail(trace.failure, requestId, declared.failureCode);
    });
    logCall(declared, record, trace, answer, performance.now() - startedAt);
    return answer;
  };
}

/** What a call turned out to be, for the log. */
interface Trace {
  workspace?: string;
  failure?: ApiError;
}

async function serve(
  declared: Endpoint,
  identify: typeof authenticate,
  event: APIGatewayProxyEventV2,
  record: CallRecord,
  trace: Trace,
) {
  const { method, path } = event.requestContext.http;
  const request = { method, path, host: event.requestContext.domainName };
  if (declared.method !== "ANY" && method !== declared.method) throw wrongMethod(method, declared.method);
  if (declared.credentials === "none") {
    const data = validate(declared.data, event.pathParameters ?? {});
    return declared.handle({ data, request, caller: undefined as unknown as Caller });
  }
  const settings = settingsOf(declared);
  const caller = await identify(event.headers, settings);
  trace.workspace = caller.workspace;
  if (declared.events.length > 0) record.wantedEvents = caller.setting("webhooks").then((each) => each.wantedEvents);
  record.wantedEvents?.catch(() => {});
  const data = validate(declared.data, await readData(event));
  if (declared.needs.length > 0) await checkSwitches(declared, caller);
  return declared.handle({ data, caller, request } as Call<never>);
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

/** What the caller is told. Only an ApiError's own words are shown; everything else is INTERNAL or, busy, UNAVAILABLE. */
function toApiError(thrown: unknown, declared: Endpoint): ApiError {
  if (thrown instanceof ApiError) {
    const known: readonly ErrorStatus[] = [...commonErrors, ...declared.errors];
    if (!known.includes(thrown.status))
      log("error", "undeclared status", { status: thrown.status, endpoint: declared.name });
    return thrown;
  }
  const { name, $retryable } = (thrown ?? {}) as { name?: string; $retryable?: object };
  const busy = $retryable || /Throttl|ThroughputExceeded|RequestLimit|TimeoutError|LimitExceeded/.test(name ?? "");
  if (busy) return new ApiError("UNAVAILABLE", "The service is busy. Try again.", { cause: thrown });
  return new ApiError("INTERNAL", "Something went wrong on our side.", { cause: thrown });
}

function logCall(declared: Endpoint, record: CallRecord, trace: Trace, answer: Answer, durationMs: number): void {
  const { failure, workspace } = trace;
  log(answer.statusCode >= 500 ? "error" : "info", "call", {
    requestId: record.requestId,
    endpoint: declared.name,
    workspace,
    status: failure?.status ?? "OK",
    http: answer.statusCode,
    durationMs: Math.round(durationMs * 10) / 10,
    ...costOf(record),
    ...(failure?.cause !== undefined && answer.statusCode >= 500 && { cause: failure.cause }),
  });
}
