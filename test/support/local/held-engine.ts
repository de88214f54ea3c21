// A proxy in front of a DynamoDB engine. It lets work begin but not end: after some requests of a kind, the next ones
// of that kind get no reply until `release`. So a test need not stop a process at the right time.
import { Agent } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { passOn } from "../../../infra/local/hard/pass-on.ts";
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

  const agent = new Agent({ keepAlive: true });
  const server = httpServer(async (request, response) => {
    const body = await text(request);
    if (isHeld(body)) return;
    const reply = await passOn(engine, agent, request.headers, body);
    response.writeHead(reply.status, { "content-type": "application/x-amz-json-1.0" }).end(reply.body);
  });
  const { url, close } = await listen(server, 0);
  onTestFinished(async () => {
    await close();
    agent.destroy();
  });
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
