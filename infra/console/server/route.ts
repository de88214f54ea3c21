import type { IncomingMessage } from "node:http";
import type { Reply } from "./reply.ts";

/** A request to a path of the console. */
export interface Asked {
  request: IncomingMessage;
  path: string;
  query: URLSearchParams;
  /** Whether the browser may change something. */
  canChange: boolean;
}

export type Route = [pattern: RegExp, method: "GET" | "POST" | "ANY", reply: (asked: Asked) => Promise<Reply> | Reply];
