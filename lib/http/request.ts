// Reads the `data` of the envelope from API Gateway's event (DECISIONS.md#envelope). `lambda.ts` calls it after the
// check of the credentials, so no body of an unknown caller is parsed.
import { hash, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { config } from "../config.ts";
import { ApiError } from "../errors.ts";
import { countValues } from "./count-values.ts";

const bodyBytesMax = 8 * 1_024 * 1_024;
const nestingMax = 64;
const valuesMax = 200_000;

/** The object `data` of a `{data}` body. INVALID_ARGUMENT says what is wrong with the body. */
export async function readData(event: APIGatewayProxyEventV2): Promise<Record<string, unknown>> {
  const type = event.headers["content-type"];
  if (type && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw refused("The content type must be application/json.");
  }
  const text = await bodyText(event);
  if (text.trim() === "") throw refused('The body is empty. Send {"data": {...}}.');
  if (countValues(text, valuesMax) > valuesMax)
    throw refused("The body has more than 200,000 values. Send less in each call.");
  const body = parse(text);
  const data = isObject(body) ? body.data : undefined;
  if (!isObject(data)) throw refused('The body must be an object whose member "data" is an object: {"data": {...}}.');
  if (checkTree(data, 0)) checkIntegers(text);
  return data;
}

async function bodyText(event: APIGatewayProxyEventV2): Promise<string> {
  const encoding = event.headers["content-encoding"]?.trim().toLowerCase() || "identity";
  if (!event.isBase64Encoded && encoding === "identity") {
    const text = event.body ?? "";
    if (text.length > bodyBytesMax || Buffer.byteLength(text) > bodyBytesMax) throw tooLarge();
    return text.replace(/^\uFEFF/, ""); // The byte order mark, which the decoder below drops.
  }
  const raw = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
  if (raw.length > bodyBytesMax) throw tooLarge();
  if (encoding === "identity") return decode(raw);
  if (encoding === "gzip") return decode(await unzip(raw));
  throw refused("The content encoding must be gzip or identity.");
}

/** Stops inflating at the limit: a small body can inflate to gigabytes. */
async function unzip(raw: Buffer): Promise<Buffer> {
  try {
    // Loaded on use: few calls are compressed, and a static import would slow down every cold start.
    return await promisify(process.getBuiltinModule("node:zlib").gunzip)(raw, { maxOutputLength: bodyBytesMax });
  } catch (cause) {
    if ((cause as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw refused("The body is not valid gzip.", cause);
  }
}

function decode(raw: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(raw);
  } catch (cause) {
    throw refused("The body is not valid UTF-8.", cause);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refused("The body is not valid JSON.", cause);
  }
}

/**
 * Refuses deep nesting, numbers beyond those of JavaScript, and strings that are not well-formed Unicode: JSON can escape a
 * lone surrogate. Returns whether a number may stand for several integers.
 */
function checkTree(value: unknown, depth: number): boolean {
  let isLarge = false;
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw refused("The body has a string with a lone surrogate.");
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) throw refused("The body has a number above 1.8e308. Send it as a string.");
    isLarge = Math.abs(value) > Number.MAX_SAFE_INTEGER;
  } else if (typeof value === "object" && value !== null) {
    if (depth > nestingMax) throw refused(`The body is nested more than ${nestingMax} levels deep.`);
    if (Array.isArray(value)) for (const entry of value) isLarge = checkTree(entry, depth + 1) || isLarge;
    else
      for (const key in value) {
        checkTree(key, depth);
        isLarge = checkTree((value as Record<string, unknown>)[key], depth + 1) || isLarge;
      }
  }
  return isLarge;
}

/** Refuses an integer that would be stored as another one: above 2^53, only some are numbers of JavaScript. */
function checkIntegers(text: string): void {
  JSON.parse(text, (_, value: unknown, { source }: { source?: string } = {}) => {
    const isInteger = typeof value === "number" && source !== undefined && /^-?\d+$/.test(source);
    if (isInteger && BigInt(source) !== BigInt(value))
      throw refused(`The number ${source.slice(0, 40)} would be stored as another one. Send it as a string.`);
    return value;
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(message: string, cause?: unknown): ApiError {
  return new ApiError("INVALID_ARGUMENT", message, { cause });
}

function tooLarge(): ApiError {
  return refused("The body is larger than 8 MB.");
}

/** The operator's own front, such as a CDN with a firewall, adds this header to each call. */
export const originSecretHeader = "x-origin-secret";

/** The failure of a call past the front (DECISIONS.md#calls-past-the-front). Undefined: the call may go on. */
export function pastTheFront(headers: Readonly<Record<string, string | undefined>>): ApiError | undefined {
  const allowed = config.originSecretSha256().split(",").filter(Boolean);
  if (allowed.length === 0) return undefined;
  const sent = hash("sha256", headers[originSecretHeader] ?? "", "buffer");
  if (allowed.some((each) => timingSafeEqual(Buffer.from(each, "hex"), sent))) return undefined;
  return new ApiError("PERMISSION_DENIED", "This address takes no calls. Use the public address of the service.");
}
