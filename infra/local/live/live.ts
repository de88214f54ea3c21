// AppSync Events on this machine, on the port of the local API: POST /event publishes, and a WebSocket at /event/realtime
// subscribes and publishes. Facts (AWS's pages): paths, subprotocols, limits of sizes, `errors` in a refusal. Assumed: the
// status codes other than 200, 400 and 401.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocketServer } from "ws";
import { jsonIn } from "../../../lib/json.ts";
import { AwsError } from "../aws-json.ts";
import { pathAndQuery } from "../gateway-event.ts";
import { type HardLive, hardLive } from "../hard/live.ts";
import { readBody } from "../read-body.ts";
import { Authorization, type Authorizer, type Headers, isSignature, unauthorized } from "./authorization.ts";
import { Connection, headersFrom, type Realtime } from "./connection.ts";
import { Hub } from "./hub.ts";
import { type Handlers, publishBytesMax, publisher } from "./publish.ts";
import { signatureError } from "./signed.ts";

export interface LiveOptions {
  authorizer: Authorizer;
  handlers?: Handlers;
  /** The seed of an engine that disturbs. Without it, the engine disturbs nothing. */
  hardSeed?: number | undefined;
  hard?: HardLive | undefined;
  onError(thrown: unknown): void;
}

export interface Live {
  /** Replies to a publication. Returns false for another request. */
  site(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Whether a request wants a WebSocket of this engine. */
  isUpgrade(request: IncomingMessage): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
  /** Ends all connections, and takes no others. */
  close(): void;
}

export const httpPath = "/event";
export const realtimePath = "/event/realtime";
const protocol = "aws-appsync-event-ws";
/** A message has its events as texts of JSON. Their quotation marks are escaped, so a message can be twice as long. */
const messageBytesMax = 2 * publishBytesMax;

export function createLive({ authorizer, handlers = {}, hardSeed, onError, ...options }: LiveOptions): Live {
  const { hard = hardSeed === undefined ? undefined : hardLive(hardSeed) } = options;
  const hub = new Hub();
  const authorization = new Authorization(authorizer, onError);
  const publish = publisher(authorization, hub, handlers);
  const pass: Realtime["pass"] = (hear, end) => (hard ? hard.pass(hear, end) : hear());
  const realtime: Realtime = { authorization, hub, publish, pass, onError };
  let server: WebSocketServer | undefined;
  let isClosed = false;

  async function respond(request: IncomingMessage): Promise<object> {
    if (request.method !== "POST") throw new AwsError("UnsupportedOperation", "Only POST is supported.");
    const body = await readBody(request, messageBytesMax);
    if (!body) throw new AwsError("BadRequestException", "The request is too large.");
    const headers = headersFrom(request.headers) ?? {};
    const isSigned = isSignature(headers.authorization);
    const refusal = isSigned && signatureError(request, body);
    if (refusal) throw unauthorized(refusal);
    const publication = { ...contentOf(body), headers, isSigned };
    return hard ? hard.publish(() => publish(publication)) : publish(publication);
  }

  return {
    async site(request, response) {
      if (pathAndQuery(request).path !== httpPath) return false;
      try {
        reply(response, 200, await respond(request));
      } catch (thrown) {
        const isRefusal = thrown instanceof AwsError;
        if (!isRefusal) onError(thrown);
        const { type, message } = isRefusal ? thrown : new AwsError("InternalFailure", "Internal Server Error");
        response.setHeader("x-amzn-errortype", type);
        reply(response, statuses.get(type) ?? 500, { errors: [{ errorType: type, message }] });
      }
      return true;
    },
    isUpgrade: (request) => pathAndQuery(request).path === realtimePath,
    async upgrade(request, socket, head) {
      socket.on("error", () => {}); // The client has gone.
      // Most starts of the local server serve no WebSocket.
      server ??= newServer(await import("ws"));
      if (isClosed) return void socket.destroy();
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = new Connection(webSocket, realtime, headersOf(request));
        webSocket.on("message", (data, isBinary) => {
          if (isBinary) webSocket.close(1003, "Messages are text.");
          else void connection.receive(String(data));
        });
        webSocket.on("error", () => {}); // Its close follows.
        webSocket.on("close", () => connection.ended());
      });
    },
    close() {
      isClosed = true;
      hard?.close();
      for (const client of server?.clients ?? []) client.terminate();
    },
  };
}

const statuses = new Map([
  ["BadRequestException", 400],
  ["HandlerExecutionException", 400],
  ["UnauthorizedException", 401],
  ["UnsupportedOperation", 405],
]);

function newServer({ WebSocketServer: Server }: typeof import("ws")): WebSocketServer {
  return new Server({
    noServer: true,
    maxPayload: messageBytesMax,
    handleProtocols: (offered) => offered.has(protocol) && protocol,
  });
}

/** The authorization of a handshake: a subprotocol is the only header that a browser lets a page set. */
function headersOf(request: IncomingMessage): Headers | undefined {
  const offered = String(request.headers["sec-websocket-protocol"] ?? "").split(/,\s*/);
  const encoded = offered.find((each) => each.startsWith("header-"))?.slice("header-".length);
  return offered.includes(protocol) && encoded
    ? headersFrom(jsonIn(Buffer.from(encoded, "base64url").toString()))
    : undefined;
}

function contentOf(body: Buffer): { channel: unknown; events: unknown } {
  const content = jsonIn(body.toString());
  if (typeof content !== "object" || content === null)
    throw new AwsError("BadRequestException", "The body must be an object of JSON.");
  return { channel: undefined, events: undefined, ...content };
}

function reply(response: ServerResponse, status: number, content: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
}
