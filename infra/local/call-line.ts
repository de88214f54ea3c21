// One short line for a call, a job or a warning, for a person at a terminal. The data folder keeps the whole log line.
import { styleText } from "node:util";
import { beginning } from "../../lib/beginning.ts";
import { fieldNames, schemaAt } from "../../lib/http/schema-fields.ts";
import { ignoredFieldsHeader, suggestion } from "../../lib/http/unknown-fields.ts";
import { jsonIn } from "../../lib/json.ts";
import { visible } from "../../lib/visible.ts";
import { decoded } from "./decoded.ts";
import type { ServedCall } from "./gateway.ts";
import type { Target } from "./gateway-routes.ts";

export type LogLine = Record<string, unknown>;

export type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

export const styleOf =
  (hasColors: boolean): Style =>
  (format, text) =>
    hasColors ? styleText(format, text, { validateStream: false }) : text;

const textMax = 400;
const idLength = 8;

/** Text from a client or a customer. */
export function short(text: string): string {
  const shown = visible(text);
  return shown.length > textMax ? `${beginning(shown, textMax)}…` : shown;
}

/** The line of a call. `logged`: its log line; undefined if the call has reached no function. */
export function callLine(call: ServedCall, logged: LogLine | undefined, at: Date, style: Style): string {
  const { method, path, target, reply, durationMs } = call;
  const { statusCode = 200 } = reply;
  const headers = reply.headers ?? {};
  const failure = statusCode < 400 ? undefined : messageOf(reply.body);
  const hint = ignoredText(String(headers[ignoredFieldsHeader] ?? ""), target);
  const trips = logged ? tripsText(logged) : "";
  return [
    style("dim", clock(at)),
    short(`${method} ${path}`),
    style(statusCode < 400 ? "green" : "red", String(statusCode)),
    ...(failure ? [style("red", short(failure))] : []),
    ...(hint ? [style("yellow", short(hint))] : []),
    style("dim", `${Math.round(durationMs)} ms${trips} ${shortId(headers["x-request-id"])}`.trimEnd()),
  ].join("  ");
}

/** The line of a job's run, or of anything else that a function logs. */
export function logLine(logged: LogLine, style: Style): string {
  const { time, level, message, worker, outcome, durationMs, correlation_id, cause } = logged;
  const isJob = message === "job";
  const what = isJob ? `job ${worker} ${outcome}` : String(message);
  const cost = isJob ? `${Math.round(Number(durationMs))} ms${tripsText(logged)} ` : "";
  const reason = causeText(cause);
  const text = short(`${what}${reason && `: ${reason}`}`);
  const shown = level === "error" ? style("red", text) : level === "warn" ? style("yellow", text) : style("dim", text);
  return [style("dim", clock(new Date(String(time)))), shown, style("dim", `${cost}${shortId(correlation_id)}`)]
    .join("  ")
    .trimEnd();
}

const clock = (at: Date) => at.toTimeString().slice(0, 8);
const shortId = (id: unknown) => (typeof id === "string" ? visible(id).slice(0, idLength) : "");
const tripsText = ({ roundTrips }: LogLine) =>
  typeof roundTrips === "number" ? `, ${roundTrips} round ${roundTrips === 1 ? "trip" : "trips"}` : "";

function causeText(cause: unknown): string {
  const { stack, name } = (cause ?? {}) as { stack?: string; name?: string };
  return stack?.split("\n")[0] ?? name ?? (typeof cause === "string" ? cause : "");
}

function messageOf(body: string | undefined): string {
  // A page is no JSON, and neither is a reply without a body.
  const { error, message = "" } = Object(jsonIn(body ?? ""));
  return error?.message === undefined ? String(message) : `${error.status}: ${error.message}`;
}

/** The ignored fields, each with the known one that is nearest. */
function ignoredText(header: string, target: Target | undefined): string {
  if (!header) return "";
  const hintOf = (path: string) => {
    const names = path.split(".");
    const parent = target?.data && schemaAt(target.data, names.slice(0, -1));
    const hint = parent && suggestion(names.at(-1) ?? "", fieldNames(parent));
    return hint ? `${path}.${hint}` : path;
  };
  return `ignored: ${header.split(",").map(decoded).map(hintOf).join("; ")}`;
}
