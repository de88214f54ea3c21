import { randomUUID } from "node:crypto";
import { config } from "../../lib/config.ts";

export type Handler = (event: unknown, context: unknown) => Promise<unknown>;
export type Invoke = (event: unknown) => Promise<unknown>;
/** Returns a function's handler. */
export type Load = (name: string) => Promise<Handler>;

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
export function invoker(load: Load, name: string, functionSeconds: number, graceSeconds = 0): Invoke {
  const timeoutSeconds = functionSeconds * config.slowness();
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
