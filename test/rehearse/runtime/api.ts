// Lambda's Runtime API, version 2018-06-01, for one process: the runtime client asks for the next invocation and posts
// its result.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "../../../infra/local/listen.ts";

export interface Invocation {
  requestId: string;
  event: unknown;
  /** ms since the epoch, on the clock of the process. */
  deadline: number;
  arn: string;
  /** The trace header. The SDK passes it on. */
  trace: string;
  clockOffsetMs: number;
}

export interface Outcome {
  /** The handler's result, if it returned one that Lambda accepts. */
  result?: unknown;
  /** Lambda's error type and message. */
  error?: { type: string; message: string };
  /** The size of the result in JSON. */
  bytes: number;
}

/** Lambda's limit of a reply: of the JSON that contains the body as a string, and not of the body. */
export const replyBytesMax = 6_291_556;

export interface RuntimeApi {
  address: string;
  /** Ends when the process asks for its first invocation, with the error of an init phase that failed. */
  ready: Promise<Outcome | undefined>;
  invoke(invocation: Invocation): Promise<Outcome>;
  close(): Promise<void>;
}

export async function startRuntimeApi(): Promise<RuntimeApi> {
  const ready = Promise.withResolvers<Outcome | undefined>();
  /** The invocation that the process has not got yet. */
  let offered: Invocation | undefined;
  let waiting: ServerResponse | undefined;
  let ended: PromiseWithResolvers<Outcome> | undefined;

  /** Gives the invocation to the process, as soon as both are there. */
  function hand(): void {
    if (!offered || !waiting) return;
    const { requestId, event, deadline, arn, trace, clockOffsetMs } = offered;
    const headers = {
      "content-type": "application/json",
      "lambda-runtime-aws-request-id": requestId,
      "lambda-runtime-deadline-ms": String(deadline),
      "lambda-runtime-invoked-function-arn": arn,
      "lambda-runtime-trace-id": trace,
      "clock-offset-ms": String(clockOffsetMs),
    };
    waiting.writeHead(200, headers).end(JSON.stringify(event));
    waiting = undefined;
    offered = undefined;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? "").replace("/2018-06-01/runtime/", "");
    if (path === "invocation/next") {
      waiting = response;
      ready.resolve(undefined);
      return hand();
    }
    const content = await buffer(request);
    if (path === "init/error") ready.resolve(failed(content));
    else if (path.endsWith("/error")) ended?.resolve(failed(content));
    else if (content.length > replyBytesMax) {
      const message = `Response payload size exceeded maximum allowed payload size (${replyBytesMax} bytes).`;
      const error = { type: "Function.ResponseSizeTooLarge", message };
      ended?.resolve({ error, bytes: content.length });
      return void response.writeHead(413).end(JSON.stringify({ errorType: error.type, errorMessage: message }));
    } else ended?.resolve({ result: JSON.parse(String(content)), bytes: content.length });
    response.writeHead(202).end(JSON.stringify({ status: "OK" }));
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listen(server, 0);
  return {
    address: url.replace("http://", ""),
    ready: ready.promise,
    close: () => {
      server.closeAllConnections();
      return close();
    },
    invoke(invocation) {
      ended = Promise.withResolvers<Outcome>();
      offered = invocation;
      hand();
      return ended.promise;
    },
  };
}

function failed(content: Buffer): Outcome {
  const { errorType, errorMessage } = JSON.parse(String(content));
  return { error: { type: errorType, message: errorMessage }, bytes: content.length };
}
