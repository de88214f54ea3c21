import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { withFreePort } from "../../../infra/local/engine-port.ts";
import { turns } from "../../support/turns.ts";

/** Listens on the port, but not at once, as an engine that has to start first. */
async function startLate(port: number): Promise<number> {
  await turns();
  const server = createServer().listen(port, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return port;
}

it("engines that start at the same time get ports of their own, more than browsers refuse to open", async () => {
  const ports = await Promise.all(Array.from({ length: 24 }, () => withFreePort(startLate)));
  expect(new Set(ports).size).toBe(24);
});
