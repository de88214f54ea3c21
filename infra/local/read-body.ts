import type { IncomingMessage } from "node:http";

/** Returns the body, or undefined when it is too long. The rest of a long body is not read. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"]) > bytesMax) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  // By default, leaving a `for await` loop destroys the socket, and the client would not receive the reply.
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    bytes += part.length;
    if (bytes > bytesMax) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
