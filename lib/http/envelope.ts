// What every answer looks like.
import { ApiError, httpStatus } from "../errors.ts";

export interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

/** Lambda's answer can have 6 MB; what the envelope adds and what escaping costs stay below. */
const replyBytesMax = 5.5 * 1_024 * 1_024;
/** More than status and message ever have. */
const envelopeBytes = 1_024;

export function succeed(endpoint: { envelope: string; message: string }, data: unknown, requestId: string): Answer {
  const result = { status: "success", message: endpoint.message };
  const standard = { result: endpoint.envelope === "bare" ? result : { ...result, data } };
  const body = JSON.stringify(endpoint.envelope === "raw" ? data : standard);
  if (isTooLong(body)) throw tooLong();
  return answer(200, requestId, body);
}

/** `hasCode`: the HTTP status is in the body too, as an endpoint can ask for. */
export function fail(failure: ApiError, requestId: string, hasCode = false): Answer {
  const { status, message, details, http } = failure;
  const shown = status === "INTERNAL" && !details ? `${message} Request id: ${requestId}.` : message;
  const code = http.code ?? httpStatus[status];
  const error = { ...(hasCode && { code }), status, message: shown, ...(details && { details }) };
  const body = JSON.stringify({ error });
  // Details can be as long as what was asked: an issue for each of a million entries.
  if (isTooLong(body)) return fail(tooLong(), requestId, hasCode);
  return answer(code, requestId, body, http.headers);
}

/** Whether this is short enough to be the `data` of a reply. */
export function fitsReply(data: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(data)) + envelopeBytes <= replyBytesMax;
}

function isTooLong(body: string): boolean {
  return body.length * 3 > replyBytesMax && Buffer.byteLength(body) > replyBytesMax;
}

function tooLong(): ApiError {
  return new ApiError("INVALID_ARGUMENT", "The reply would exceed 5.5 MB: ask for less at once.");
}

function answer(statusCode: number, requestId: string, body: string, more: Record<string, string> = {}): Answer {
  return { statusCode, headers: { "content-type": "application/json", "x-request-id": requestId, ...more }, body };
}
