import type { IncomingMessage } from "node:http";
import { readBody } from "../../local/read-body.ts";
import { mask } from "./mask.ts";
import { failure, type Reply } from "./reply.ts";

/** As API Gateway. */
const bodyBytesMax = 10 * 1_024 * 1_024;

export const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "");

/** The text of the body, or the reply that refuses it. Whether it is JSON, the API says. */
export async function bodyOf(request: IncomingMessage): Promise<string | Reply> {
  if (!isJson(request)) {
    return invalid("The header content-type must be application/json.", 415);
  }
  const body = await readBody(request, bodyBytesMax);
  if (!body) return invalid("The body is too long.", 413);
  const text = body.toString();
  const plain = withoutEscapes(text);
  if (plain === undefined) return invalid("The body is nested too deeply.");
  // A value that the console has hidden must not replace the real one.
  return text.includes(mask) || plain.includes(mask)
    ? invalid(`The body has a hidden value (${mask}). Leave this field out.`)
    : text;
}

const invalid = (message: string, status = 400) => failure(status, "INVALID_ARGUMENT", message);

/** JSON in which no character is escaped that need not be. Undefined: it is nested too deeply. */
function withoutEscapes(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch (thrown) {
    return thrown instanceof RangeError ? undefined : text;
  }
}
