// The calls of the API that run. A browser that has gone waits for none, and their number has a limit.
import type { Socket } from "node:net";
import { boundedFetch, type Fetched, type Sent } from "./bounded-fetch.ts";

/** A browser sends six at a time to one server. */
const callsMax = 30;

/** Calls the API for the client of this connection. Undefined: too many calls run. */
export type Upstream = (url: URL, sent: Sent, client: Socket) => Promise<Fetched | undefined>;

export function createUpstream(): Upstream {
  let running = 0;
  return async (url, sent, client) => {
    if (running >= callsMax) return undefined;
    running++;
    const gone = new AbortController();
    const abort = () => gone.abort();
    client.once("close", abort);
    if (client.destroyed) abort();
    try {
      return await boundedFetch(url, sent, gone.signal);
    } finally {
      client.off("close", abort);
      running--;
    }
  };
}
