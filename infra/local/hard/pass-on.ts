import { type Agent, type IncomingHttpHeaders, request as send } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Reply } from "./replies.ts";

/** Sends a request on to the engine. `fetch` would refuse the engine's port, which is closed to browsers. */
export function passOn(
  engine: string,
  agent: Agent,
  { host: _host, connection: _connection, "transfer-encoding": _encoding, ...headers }: IncomingHttpHeaders,
  body: Buffer | string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = send(engine, {
      agent,
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (response) => {
      buffer(response).then((received) => resolve({ status: response.statusCode ?? 500, body: received }), reject);
    });
    outgoing.end(body);
  });
}
