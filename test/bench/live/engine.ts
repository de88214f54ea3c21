// The local engine alone, as a process of its own: the memory of its connections. The bench tells it when to measure.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLive } from "../../../infra/local/live/live.ts";

const authorizer = async () => ({ isAuthorized: true, handlerContext: { userId: "u" }, ttlOverride: 0 });
const live = createLive({ authorizer, onError: (thrown) => console.error(thrown) });
const server = createServer(
  { shouldUpgradeCallback: live.isUpgrade },
  (request, response) => void live.site(request, response),
);
server.on("upgrade", live.upgrade);
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ used: heapUsed + external, rss });
});
process.on("disconnect", () => process.exit());
