// The HTTP API on this machine: each request becomes the event that API Gateway would send, for the same handler.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { eventOf, targetOf } from "./gateway-event.ts";
import { router, type Target } from "./gateway-routes.ts";
import { invoker, type Load } from "./invoke.ts";

/** API Gateway's quota. */
const bodyBytesMax = 10 * 1_024 * 1_024;

export interface Gateway {
  endpoints: readonly Target[];
  load: Load;
  /** What GET /openapi.json shows; a deployment has no such path. */
  apiDocument?: () => object;
  /** Told what a function threw; the client is not. */
  onError(thrown: unknown): void;
}

type Answer = APIGatewayProxyStructuredResultV2;

/** A server that is yet to listen. */
export function createGateway({ endpoints, load, apiDocument, onError }: Gateway): Server {
  const routeOf = router(endpoints);
  return createServer(async (request, response) => {
    try {
      await write(response, (await respond(request)) ?? own(413, "Request Too Long"));
    } catch (thrown) {
      if (response.destroyed) return; // The client has gone.
      onError(thrown);
      if (response.headersSent) response.destroy();
      else await write(response, own(500, "Internal Server Error"));
    }
  });

  async function respond(request: IncomingMessage): Promise<Answer | undefined> {
    const { path } = targetOf(request);
    if (apiDocument && path === "/openapi.json" && request.method === "GET") return shown(apiDocument());
    const route = routeOf(path);
    if (!route) return own(404, "Not Found");
    const body = await readBody(request);
    if (!body) return undefined;
    const { name, timeoutSeconds } = route.target;
    const event: APIGatewayProxyEventV2 = eventOf(request, body, route);
    // As deployed: the second beyond the endpoint's own deadline is for answering that it has passed.
    return (await invoker(load, name, timeoutSeconds + 1)(event)) as Answer;
  }
}

/** The body; undefined: it is too long, and what is left of it is not kept. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"]) > bodyBytesMax) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  // Leaving a `for await` would destroy the socket, and the answer with it.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    bytes += part.length;
    if (bytes > bodyBytesMax) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function write(
  response: ServerResponse,
  { statusCode = 200, headers = {}, cookies, body = "", isBase64Encoded }: Answer,
) {
  const content = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
  response.writeHead(statusCode, {
    ...(headers as Record<string, string>),
    ...(cookies && { "set-cookie": cookies }),
    "content-length": content.length,
  });
  response.end(content);
}

/** An answer of the gateway itself, outside the service's envelope. */
function own(statusCode: number, message: string): Answer {
  return shown({ message }, statusCode);
}

function shown(content: object, statusCode = 200): Answer {
  return { statusCode, headers: { "content-type": "application/json" }, body: JSON.stringify(content) };
}
