// The local replacement of API Gateway: converts each request to an event and invokes the same handler.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { isLook } from "../console/server/look.ts";
import { gatewayEvent, pathAndQuery } from "./gateway-event.ts";
import { router, type Target } from "./gateway-routes.ts";
import { invoker, type Load } from "./invoke.ts";
import { readBody } from "./read-body.ts";

/** API Gateway's quota. */
const bodyBytesMax = 10 * 1_024 * 1_024;

/** How much longer than on Lambda a function may take. */
const graceSeconds = 20;

export interface Gateway {
  endpoints: readonly Target[];
  load: Load;
  /** Replies to the requests of a browser on this machine. Returns false for a call of the API. */
  site?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** Whether a request that asks for an upgrade gets one. The server's event `upgrade` has it then. Default: none does. */
  isUpgrade?: (request: IncomingMessage) => boolean;
  /** Gets each call after its reply. */
  onCall?: ((call: ServedCall) => void) | undefined;
  /** Receives an error that a function threw. The client receives only status 500. */
  onError(thrown: unknown): void;
}

export interface ServedCall {
  method: string;
  path: string;
  /** What the path leads to; undefined without a route. */
  target: Target | undefined;
  reply: GatewayReply;
  durationMs: number;
  /** Whether a page of the console only loads (see console/server/look.ts). */
  isLook?: boolean;
}

export type GatewayReply = APIGatewayProxyStructuredResultV2;

/** Returns a server that does not listen yet. */
export function createGateway({ endpoints, load, site, isUpgrade = () => false, onCall, onError }: Gateway): Server {
  const routeOf = router(endpoints);
  // A client can send a call on a connection that the server is about to close. So an unused connection stays open long.
  // Some clients ask for an upgrade to h2c with each call. They get a reply without the upgrade.
  const options = { keepAliveTimeout: 65_000, shouldUpgradeCallback: isUpgrade };
  return createServer(options, async (request, response) => {
    const startedAt = performance.now();
    const send = async (reply: GatewayReply) => {
      await write(response, reply);
      const { path } = pathAndQuery(request);
      const { target } = routeOf(path) ?? {};
      const durationMs = performance.now() - startedAt;
      onCall?.({ method: request.method ?? "", path, target, reply, durationMs, isLook: isLook(request.headers) });
    };
    try {
      if (await site?.(request, response)) return;
      await send((await respond(request)) ?? errorReply(413, "Request Too Long"));
    } catch (thrown) {
      if (response.destroyed) return; // The client has disconnected.
      onError(thrown);
      if (response.headersSent) response.destroy();
      else await send(errorReply(500, "Internal Server Error"));
    }
  });

  async function respond(request: IncomingMessage): Promise<GatewayReply | undefined> {
    const { path } = pathAndQuery(request);
    const route = routeOf(path);
    if (!route) return errorReply(404, "Not Found");
    const body = await readBody(request, bodyBytesMax);
    if (!body) return undefined;
    const { name, timeoutSeconds } = route.target;
    const event: APIGatewayProxyEventV2 = gatewayEvent(request, body, route);
    // As deployed: one second more than the endpoint's own deadline, to return DEADLINE_EXCEEDED.
    return (await invoker(load, name, timeoutSeconds + 1, graceSeconds)(event)) as GatewayReply;
  }
}

async function write(
  response: ServerResponse,
  { statusCode = 200, headers = {}, cookies, body = "", isBase64Encoded }: GatewayReply,
) {
  const content = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
  response.writeHead(statusCode, {
    ...(headers as Record<string, string>),
    ...(cookies && { "set-cookie": cookies }),
    "content-length": content.length,
  });
  response.end(content);
}

/** A reply of the gateway itself, without the service's envelope. */
function errorReply(statusCode: number, message: string): GatewayReply {
  return { statusCode, headers: { "content-type": "application/json" }, body: JSON.stringify({ message }) };
}
