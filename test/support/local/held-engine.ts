// A proxy in front of a DynamoDB engine. It lets work begin but not end: after some requests of a kind, the next ones
// of that kind get no reply until `release`. So a test need not stop a process at the right time.
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { httpServer, listen } from "../../../infra/local/listen.ts";

/** A kind of request: whether a body belongs to it, and how many requests of it get a reply. */
export interface Hold {
  isHeld(body: string): boolean;
  passed: number;
}

export async function heldEngine<Name extends string>(engine: string, holds: Record<Name, Hold>) {
  const seen = new Map<string, number>();
  let areOn = false;

  function isHeld(body: string): boolean {
    const found = Object.entries<Hold>(holds).find(([, hold]) => areOn && hold.isHeld(body));
    if (!found) return false;
    const [name, { passed }] = found;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count > passed;
  }

  const server = httpServer(async (request, response) => {
    const body = await text(request);
    if (isHeld(body)) return;
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const reply = await fetch(engine, { method: "POST", headers: headers as Record<string, string>, body });
    const answer = Buffer.from(await reply.arrayBuffer());
    response.writeHead(reply.status, { "content-type": "application/x-amz-json-1.0" }).end(answer);
  });
  const { url, close } = await listen(server, 0);
  onTestFinished(close);
  return {
    url,
    hold() {
      areOn = true;
    },
    release() {
      areOn = false;
    },
    /** Whether a request of the kind waits for its reply. */
    holds: (name: Name) => (seen.get(name) ?? 0) > holds[name].passed,
  };
}
