// Structured logs on standard output, one JSON object on each line. They never contain bodies or secrets. Within a call or
// a job, each line has the ids of the call that caused it and of the invocation.
import { type Call, currentCall } from "./call.ts";
import { config } from "./config.ts";
import type { Metrics } from "./metrics.ts";

export type LogLevel = "info" | "warn" | "error";

/** Every field of a line. No other one is written, so an object that is spread into a line cannot show what it has. */
const names = [
  ...["attempt", "authTokenId", "causedDeliveries", "causedJobs", "channel", "count", "delivery", "detail", "due"],
  ...["durationMs", "endpoint", "endpointId", "error", "event", "http", "isPermanent", "job", "kind", "kmsCalls"],
  ...["messageId", "nextAttemptAt", "outcome", "problem", "readUnits", "roundTrips", "run", "sesRequestId", "status"],
  ...["until", "vendor", "worker", "workspace", "writeUnits"],
] as const;

const declaredNames: ReadonlySet<string> = new Set(names);

type Value = string | number | boolean | readonly string[] | undefined;

type Fields = Partial<Record<(typeof names)[number], Value>> & { cause?: unknown };

/** Makes a field that is not declared an error of types, also one that comes from a spread object. */
type Declared<Given> = Given & Record<Exclude<keyof Given, keyof Fields>, never>;

/** Writes one line. An error in `cause` is shown with its name, its stack (with the message) and its inner causes. */
export function log<Given extends Fields>(level: LogLevel, message: string, fields?: Declared<Given>): void {
  write(level, message, fields ?? {}, {});
}

function write(level: LogLevel, message: string, fields: Fields, values: object): void {
  const call = currentCall();
  const ids = call && { ...call.invocation, correlation_id: call.requestId };
  const declared = Object.fromEntries(Object.entries(fields).filter(([name]) => declaredNames.has(name)));
  const cause = fields.cause ? { cause: causeOf(fields.cause) } : {};
  const line = { level, time: new Date().toISOString(), message, ...ids, ...declared, ...cause, ...values };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

let isStarted = false;

/**
 * As `log`, for the one line of a call or a job. CloudWatch makes metrics of `values` and of the measures of the call
 * (embedded metric format: `_aws` names the fields).
 */
export function logMeasured<Given extends Fields>(
  level: LogLevel,
  message: string,
  fields: Declared<Given>,
  values: Partial<Metrics>,
): void {
  const { invocation, measures } = currentCall() ?? {};
  const all = Object.entries({ ...values, ...measures, coldStarts: isStarted ? 0 : 1 }).filter(([, value]) => value);
  isStarted = true;
  const Metrics = all.map(([Name]) => ({ Name }));
  const directive = { Namespace: invocation?.service, Dimensions: [["service"]], Metrics };
  const _aws = { Timestamp: Date.now(), CloudWatchMetrics: [directive] };
  write(level, message, fields, { ...Object.fromEntries(all), ...(invocation && { _aws }) });
}

function causeOf(thrown: unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return String(thrown);
  const next = thrown.cause !== undefined && depth < 4 ? { cause: causeOf(thrown.cause, depth + 1) } : {};
  return { name: thrown.name, stack: thrown.stack, ...next };
}

let isCold = true;

/** Describes an invocation of this container. Call it once in each. */
export function newInvocation({ awsRequestId }: { awsRequestId: string }): Required<Call>["invocation"] {
  const cold_start = isCold;
  isCold = false;
  return { service: config.serviceName(), cold_start, function_request_id: awsRequestId };
}
