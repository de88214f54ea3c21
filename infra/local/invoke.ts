import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export type Handler = (event: unknown, context: unknown) => Promise<unknown>;
export type Invoke = (event: unknown) => Promise<unknown>;
/** Imports a function's bundle at its first call, as Lambda does at a cold start. */
export type Load = (name: string) => Promise<Handler>;

export function bundlesIn(outDir: string): Load {
  return async (name) => (await import(pathToFileURL(resolve(outDir, name, "index.mjs")).href)).handler;
}

/** Calls a function as Lambda would: with a context, and no longer than its time. */
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
    const late = new Promise<never>((_, reject) => {
      const timeout = new Error(`${name} timed out after ${timeoutSeconds} seconds.`);
      timer = setTimeout(() => reject(timeout), timeoutSeconds * 1_000);
    });
    return Promise.race([handler(event, context), late]).finally(() => clearTimeout(timer));
  };
}
