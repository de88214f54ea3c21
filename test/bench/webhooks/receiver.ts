// A receiver of webhooks. `startReceiver` runs it as a process, so that its CPU time is not counted. It replies
// immediately, and never to paths under /dead. It sends its parent the time of each arrival.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer(async (request, response) => {
  const at = Date.now();
  if (request.url?.startsWith("/dead")) return;
  const { data, webhookId } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  response.end();
  process.send?.({ at, id: data.documentId, webhookId, path: request.url });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit());
