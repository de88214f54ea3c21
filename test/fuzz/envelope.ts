// What every reply owes, whatever the request was: JSON in the contract's envelope, a status that fits its code, and
// the headers.
import { endpoints } from "../../infra/deployables.ts";
import { type ErrorStatus, httpStatus } from "../../lib/errors.ts";
import { type Endpoint, errorsOf } from "../../lib/http/endpoint.ts";
import type { Random } from "../support/random.ts";
import type { Answer } from "./connection.ts";

// biome-ignore lint/suspicious/noExplicitAny: replies differ by endpoint
export type Json = any;

export interface Reply extends Answer {
  body: Json;
  /** `result.data`, or the whole body of an endpoint with an envelope of its own. */
  data: Json;
  /** `OK`, or the status of the failure. */
  outcome: string;
  error: { status: string; message: string; details?: Json } | undefined;
}

const byName = new Map(endpoints.map((each) => [each.name, each]));

export function endpointNamed(name: string): Endpoint {
  const found = byName.get(name);
  if (!found) throw new Error(`There is no endpoint ${name}.`);
  return found;
}

/** Parsing a reply by its schema is slow, so only a share is. */
const parsedShare = 0.1;

export function replyOf(endpoint: Endpoint, answer: Answer): Reply {
  const body = parsed(answer.text);
  const error = body?.error;
  const data = endpoint.envelope === "raw" ? body : body?.result?.data;
  const outcome = error?.status ?? (answer.status === 200 ? "OK" : `HTTP ${answer.status}`);
  return { ...answer, body, data, error, outcome };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Says what is wrong with the form of the reply. */
export function problemOf(endpoint: Endpoint, reply: Reply, random: Random): string | undefined {
  const { status, headers, body } = reply;
  // The gateway's own reply to a body that is too large for it.
  if (status === 413 && typeof body?.message === "string") return undefined;
  if (status === 200 && endpoint.envelope === "page") return problemOfPage(reply);
  if (body === null || typeof body !== "object") return "the body is not a JSON object";
  if (headers["content-type"] !== "application/json") return `the content type is ${headers["content-type"]}`;
  if (!headers["x-request-id"]) return "the header x-request-id is missing";
  return status === 200 ? problemOfSuccess(endpoint, reply, random) : problemOfFailure(endpoint, reply);
}

function problemOfPage({ headers, text }: Reply): string | undefined {
  if (headers["content-type"] !== "text/html; charset=utf-8") return `the content type is ${headers["content-type"]}`;
  if (!headers["x-request-id"]) return "the header x-request-id is missing";
  return /^<!doctype html>.*<\/html>\n$/s.test(text) ? undefined : "the page is not complete";
}

function problemOfSuccess(endpoint: Endpoint, { body, data }: Reply, random: Random): string | undefined {
  const { envelope, reply } = endpoint;
  if (envelope !== "raw") {
    const { status, message, ...rest } = body.result ?? {};
    if (Object.keys(body).join() !== "result" || status !== "success") return "a success is not in its envelope";
    if (typeof message !== "string" || message === "") return "a success has no message";
    const names = Object.keys(rest).join();
    if (names !== (envelope === "bare" ? "" : "data")) return `a success has the fields ${names}`;
  }
  if (envelope === "bare" || !random.chance(parsedShare)) return undefined;
  const { error } = reply.safeParse(data);
  return error && `the reply does not fit its schema: ${JSON.stringify(error.issues).slice(0, 500)}`;
}

const failureFields = ["code", "status", "message", "details"];

function problemOfFailure(endpoint: Endpoint, { status: http, headers, body, error }: Reply): string | undefined {
  if (Object.keys(body).join() !== "error" || typeof error !== "object") return "a failure is not in its envelope";
  const { status, message, details } = error;
  const unknown = Object.keys(error).filter((field) => !failureFields.includes(field));
  if (unknown.length > 0) return `a failure has the fields ${unknown.join()}`;
  if (typeof message !== "string" || message === "") return "a failure has no message";
  if ("code" in error !== endpoint.failureCode) return "the field code of a failure is wrong";
  if ("code" in error && error.code !== http) return "the field code of a failure is not its HTTP status";
  if (http === 405) return headers.allow ? undefined : "the header allow is missing";
  if (httpStatus[status as ErrorStatus] !== http) return `the status ${status} came with HTTP ${http}`;
  // Without the header, time does not help. These messages say what to change first.
  if (http === 429 && !headers["retry-after"] && !/at most/i.test(message)) return "the header retry-after is missing";
  if (http === 429) return undefined;
  if (!errorsOf(endpoint).includes(status as ErrorStatus)) return `the endpoint does not declare ${status}`;
  if (status === "INTERNAL" && !isExpected(endpoint.name, details, message)) return `INTERNAL: ${message}`;
  const issues = details?.issues as { code: unknown; path: unknown; message: unknown }[] | undefined;
  const isIssue = ({ code, path, message }: { code: unknown; path: unknown; message: unknown }) =>
    typeof code === "string" && typeof message === "string" && Array.isArray(path) && path.every(isText);
  return issues && !issues.every(isIssue) ? "an issue has not the contract's shape" : undefined;
}

const isText = (value: unknown) => typeof value === "string";

/** Their failures say what caused them: an unreadable file, or the workspace's model vendor. */
const sayingTheCause = ["agents-extract", "memory-ask"];

/** The contract's own outcomes with this status. */
function isExpected(name: string, details: Json, message: string): boolean {
  // Domains that exist already.
  if (name === "domains-add") return Array.isArray(details?.domainsAdded);
  return sayingTheCause.includes(name) && !message.startsWith("Something went wrong");
}
