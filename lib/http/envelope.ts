// Builds the HTTP replies: successes and failures. `html-page.ts` builds the replies that people read.
import { ApiError, httpStatus } from "../errors.ts";

export interface HttpReply {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

/** An upper bound for the bytes of the status and the message. */
const envelopeBytes = 1_024;

interface Replying {
  envelope: string;
  message: string;
  cacheSeconds?: number;
}

/** In a bulk call, the message also says how many items failed. */
export function succeed(endpoint: Replying, data: unknown, requestId: string): HttpReply {
  const result = { status: "success", message: messageFor(endpoint.message, data) };
  const standard = { result: endpoint.envelope === "bare" ? result : { ...result, data } };
  const body = JSON.stringify(endpoint.envelope === "raw" ? data : standard);
  if (!fitsSent(body)) throw tooLong();
  const { cacheSeconds } = endpoint;
  return reply(200, requestId, body, cacheSeconds ? { "cache-control": `public, max-age=${cacheSeconds}` } : {});
}

function messageFor(message: string, data: unknown): string {
  // The values of a text would be its characters.
  const items = typeof data === "object" ? Object.values(data ?? {}) : [];
  const failed = items.filter((item) => item?.success === false).length;
  if (failed === 0) return message;
  if (failed === items.length) return "No item succeeded. Each item says why.";
  return `${message} ${failed} of ${items.length} items failed, and ${failed === 1 ? "says" : "say"} why.`;
}

/** `hasCode`: the body also has the HTTP status, as an endpoint with `failureCode` declares. */
export function fail(failure: ApiError, requestId: string, hasCode = false): HttpReply {
  const { status, details, http } = failure;
  const message = messageOf(failure, requestId);
  const code = http.code ?? httpStatus[status];
  const error = { ...(hasCode && { code }), status, message, ...(details && { details }) };
  const body = JSON.stringify({ error });
  // The details can be too large: a request with a million invalid entries has a million issues.
  if (!fitsSent(body)) return fail(tooLong(), requestId, hasCode);
  return reply(code, requestId, body, http.headers);
}

/** An unexpected failure names the call, so that its cause can be found in the log. */
export const messageOf = ({ status, message, isExpected }: ApiError, requestId: string): string =>
  status === "INTERNAL" && !isExpected ? `${message} Request id: ${requestId}.` : message;

/** Whether `data` fits into one reply. */
export function fitsReply(data: unknown): boolean {
  return fitsSent(JSON.stringify(data), envelopeBytes);
}

const tooLongMessage = "The reply would exceed 6 MB, where quotes and backslashes count twice. Request fewer items.";

function tooLong(): ApiError {
  return new ApiError("INVALID_ARGUMENT", tooLongMessage);
}

function reply(statusCode: number, requestId: string, body: string, more: Record<string, string> = {}): HttpReply {
  return { statusCode, headers: { "content-type": "application/json", "x-request-id": requestId, ...more }, body };
}

/** Lambda's limit is 100 bytes above 6 MB. 16 KB are left for the headers and for the field names of Lambda's JSON. */
const sentBytesMax = 6 * 1_024 * 1_024 - 16_384;

/** UTF-8 takes at most three bytes for a character of JavaScript, and an escape takes two. */
const bytesOfCharacterMax = 3;

/**
 * Bytes of JSON text that is sent as a body, as Lambda counts them. Lambda gets JSON in which the body is a string, so
 * each quote and each backslash of the body counts twice (DECISIONS.md#sizes).
 */
function sentBytes(json: string): number {
  return Buffer.byteLength(JSON.stringify(json));
}

/** Bytes of an item of a reply. */
export const sentSize = (item: object) => sentBytes(JSON.stringify(item));

/** Whether the JSON text fits one reply, together with `more` bytes. A text that fits in any case is not counted. */
function fitsSent(json: string, more = 0): boolean {
  return json.length * bytesOfCharacterMax + more <= sentBytesMax || sentBytes(json) + more <= sentBytesMax;
}
