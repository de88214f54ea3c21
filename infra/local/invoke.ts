import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export type Handler = (event: unknown, context: unknown) => Promise<unknown>;
export type Invoke = (event: unknown) => Promise<unknown>;
/** Returns a function's handler. Imports its bundle on the first call, as a Lambda cold start does. */
export type Load = (name: string) => Promise<Handler>;

export function bundlesIn(outDir: string): Load {
  // Node resolves a dynamic import anew each time, which costs several reads of the file system.
  const loaded = new Map<string, Handler>();
  return async (name) => {
    const known = loaded.get(name);
    if (known) return known;
    const { handler } = await import(pathToFileURL(resolve(outDir, name, "index.mjs")).href);
    loaded.set(name, handler);
    return handler;
  };
}

/** Lambda's limit of a reply as JSON, in bytes. */
const replyBytesMax = 6_291_556;

/** Returns the reply. Throws when Lambda would refuse it as too large. */
export function checkedReply<Reply>(reply: Reply): Reply {
  const bytes = Buffer.byteLength(JSON.stringify(reply) ?? "");
  if (bytes <= replyBytesMax) return reply;
  throw new Error(`The reply has ${bytes} bytes as JSON, and Lambda accepts ${replyBytesMax}.`);
}

/** Invokes a function as Lambda does, with a context, a timeout and a limit of the reply. */
export function invoker(load: Load, name: string, timeoutSeconds: number): Invoke {
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
      timer = setTimeout(() => reject(error), timeoutSeconds * 1_000);
    });
    return checkedReply(await Promise.race([handler(event, context), timeout]).finally(() => clearTimeout(timer)));
  };
}
