// Webhook receivers on this machine: one accepts deliveries, the other refuses them.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A receiver that replies this to each delivery. */
export async function receiver(status: number, answer: string): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(status).end(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, server };
}

export async function openReceivers() {
  const [good, failing] = [await receiver(200, "ok"), await receiver(503, "The billing service has moved.")];
  const close = () => {
    for (const { server } of [good, failing]) {
      server.close();
      server.closeAllConnections();
    }
  };
  return { good: good.url, failing: failing.url, close };
}
