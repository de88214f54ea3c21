// Reads the `data` of the envelope from API Gateway's event (DECISIONS.md#envelope). `lambda.ts` calls it after the
// check of the credentials, so no body of an unknown caller is parsed.
import { hash, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { config } from "../config.ts";
import { ApiError, invalidField } from "../errors.ts";
import { becomesZero, countValues, doubledField } from "./count-values.ts";

const bodyBytesMax = 8 * 1_024 * 1_024;
const nestingMax = 64;
const valuesMax = 200_000;
/** A field's name as a failure says it. */
export const shownName = (name: string) => name.slice(0, 100).toWellFormed();

interface Body {
  data: Record<string, unknown>;
  /** The names of the members beside `data`. */
  beside: string[];
}

/** A `{data}` body. INVALID_ARGUMENT says what is wrong with it. */
export async function readBody(event: APIGatewayProxyEventV2): Promise<Body> {
  const type = event.headers["content-type"];
  if (type && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw refused("The content type must be application/json.");
  }
  const text = await bodyText(event);
  if (text.trim() === "") throw refused('The body is empty. Send {"data": {...}}.');
  const values = countValues(text, valuesMax);
  if (values > valuesMax) throw refused("The body has more than 200,000 values. Send less.");
  const body = parse(text);
  const data = isObject(body) ? body.data : undefined;
  if (!isObject(data)) throw refused('The body must be {"data": {...}}, with an object as data.');
  const seen = { values: 0, isLarge: false, hasZero: false };
  checkTree(body, -1, seen);
  if (seen.values < values) throw doubled(text);
  if (seen.isLarge || (seen.hasZero && tiny.test(text))) checkNumbers(text);
  const { data: _, ...beside } = body as object & { data: unknown };
  return { data, beside: Object.keys(beside) };
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

interface Seen {
  values: number;
  /** Whether a number may stand for several integers. */
  isLarge: boolean;
  hasZero: boolean;
}

/**
 * Refuses deep nesting, numbers beyond those of JavaScript, and strings that are not well-formed Unicode: JSON can escape a
 * lone surrogate.
 */
function checkTree(value: unknown, depth: number, seen: Seen): void {
  seen.values += 1;
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw refused("The body has a string with a lone surrogate.");
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) throw refused("The body has a number above 1.8e308. Send it as a string.");
    seen.isLarge ||= Math.abs(value) > Number.MAX_SAFE_INTEGER;
    seen.hasZero ||= value === 0;
  } else if (typeof value === "object" && value !== null) {
    if (depth > nestingMax) throw refused(`The body is nested more than ${nestingMax} levels deep.`);
    if (Array.isArray(value)) for (const entry of value) checkTree(entry, depth + 1, seen);
    else
      for (const key in value) {
        if (!key.isWellFormed()) throw refused("The body has a field with a lone surrogate.");
        checkTree((value as Record<string, unknown>)[key], depth + 1, seen);
      }
  }
}

/** `JSON.parse` keeps the last of two fields with one name. Other programs, such as a firewall in front, keep the first. */
function doubled(text: string): ApiError {
  const path = (doubledField(text) ?? []).map(shownName);
  return invalidField(path.length > 1 && path[0] === "data" ? path.slice(1) : path, "Is there twice. Send it once.");
}

/** The beginning of a number that may be below 5e-324: JavaScript makes 0 of it. Texts can have it too. */
const tiny = /[:,[\s]-?(?:\d[\d.]*e-\d{3}|0\.0{200})/i;

/**
 * Refuses a number that would be stored as another one: 0 in place of a tiny number, and an integer above 2^53, of which
 * only some are numbers of JavaScript. In the form of JavaScript, which replies have, each is taken. A decimal is stored
 * as the nearest number.
 */
function checkNumbers(text: string): void {
  JSON.parse(text, (_, value: unknown, { source }: { source?: string } = {}) => {
    if (typeof value !== "number" || source === undefined) return value;
    const isInteger = /^-?\d+$/.test(source) && source !== String(value);
    const isLost = becomesZero(value, source) || (isInteger && BigInt(source) !== BigInt(value));
    if (isLost) throw refused(`The number ${source.slice(0, 40)} would be stored as another. Send it as a string.`);
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
