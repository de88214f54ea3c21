// Counts the requests of a call to DynamoDB, and in how many waves they are made. A wave is the requests that are made
// concurrently.
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import { listen } from "../../infra/local/listen.ts";
import { outDir } from "../support/bundles.ts";
import { contextOf } from "./event.ts";

/** After this time without a further request, a wave is complete: the caller waits for replies. */
const quietMs = 150;

export interface Waves {
  calls: number;
  waves: number;
}

/** Sends the events to a new instance of the function. Returns the requests of the last one. */
export async function wavesOf(name: string, events: readonly object[]): Promise<Waves> {
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? "";
  const barrier = await startBarrier(new URL(endpoint));
  process.env.AWS_ENDPOINT_URL_DYNAMODB = barrier.url;
  try {
    // A new instance of the module has no client for the engine yet.
    const { handler } = await import(`${pathToFileURL(`${outDir}/${name}/index.mjs`)}?waves`);
    for (const event of events) {
      barrier.reset();
      const { statusCode, body } = await handler(event, contextOf());
      if (statusCode !== 200) throw new Error(`${name} returned ${statusCode}: ${body.slice(0, 500)}`);
    }
    return barrier.count;
  } finally {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
    await barrier.close();
  }
}

/** Starts a proxy that holds all requests until a wave is complete, then forwards them. */
async function startBarrier(engine: URL) {
  let held: (() => void)[] = [];
  const count = { calls: 0, waves: 0 };
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    count.waves += 1;
    const all = held;
    held = [];
    for (const send of all) send();
  };
  const server = createServer((incoming, outgoing) => {
    count.calls += 1;
    held.push(() => forward(engine, incoming, outgoing));
    clearTimeout(timer);
    timer = setTimeout(release, quietMs);
  });
  const { url, close } = await listen(server, 0);
  return { url, close, count, reset: () => Object.assign(count, { calls: 0, waves: 0 }) };
}

function forward({ hostname, port }: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const onward = request({ hostname, port, method, path, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(outgoing);
  });
  onward.on("error", (cause) => outgoing.destroy(cause));
  incoming.pipe(onward);
}
