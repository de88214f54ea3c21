import { randomUUID } from "node:crypto";
import { deployables, sourceOf } from "../deployables.ts";

export type Handler = (event: unknown, context: unknown) => Promise<unknown>;
export type Invoke = (event: unknown) => Promise<unknown>;
/** Returns a function's handler. */
export type Load = (name: string) => Promise<Handler>;

const loaded = new Map<string, Handler>();

/** The handlers of the sources. Node has loaded most of their code with the list of functions. */
export async function loadSource(name: string): Promise<Handler> {
  const known = loaded.get(name);
  if (known) return known;
  const found = deployables.find((each) => each.name === name);
  if (!found) throw new Error(`There is no function ${name}.`);
  // Node resolves a dynamic import anew each time, which costs several reads of the file system.
  const { handler } = await import(new URL(`../../${sourceOf(found)}`, import.meta.url).href);
  loaded.set(name, handler);
  return handler;
}

/** Lambda's limit of a reply as JSON, in bytes. */
const replyBytesMax = 6_291_556;

/** Returns the reply. Throws when Lambda would refuse it as too large. */
export function checkedReply<Reply>(reply: Reply): Reply {
  const bytes = Buffer.byteLength(JSON.stringify(reply) ?? "");
  if (bytes <= replyBytesMax) return reply;
  throw new Error(`The reply has ${bytes} bytes as JSON, and Lambda accepts ${replyBytesMax}.`);
}

/**
 * Invokes a function as Lambda does, with a context, a timeout and a limit of the reply. `graceSeconds` is added
 * to the timeout: all functions share one process here, so on a busy machine a function's own deadline ends it late.
 */
export function invoker(load: Load, name: string, timeoutSeconds: number, graceSeconds = 0): Invoke {
  return async (event) => {
    const handler = await load(name);
    const endsAt = Date.now() + timeoutSeconds * 1_000;
    const context = {
      functionName: name,
      awsRequestId: randomUUID(),
      getRemainingTimeInMillis: () => endsAt - Date.now(),
    };
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const error = new Error(`${name} timed out after ${timeoutSeconds} seconds.`);
      timer = setTimeout(() => reject(error), (timeoutSeconds + graceSeconds) * 1_000);
    });
    return checkedReply(await Promise.race([handler(event, context), timeout]).finally(() => clearTimeout(timer)));
  };
}
