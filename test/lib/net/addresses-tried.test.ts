import { Socket } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { egress } from "../../../lib/net/egress.ts";
import { send } from "../../../lib/net/send.ts";
import { listen, listenAtAll, resolver } from "../../support/net/listen.ts";

afterEach(() => void vi.restoreAllMocks());

/** Sends a request to a name with these addresses. */
async function get(port: number, addresses: string[], timeoutMs: number): Promise<string> {
  const through = egress("127.0.0.0/8,::1/128", resolver(addresses).resolve);
  const url = `http://hooks.example:${port}/`;
  const { body } = await send({ url, method: "GET", timeoutMs, maxBytes: 1_000 }, through);
  return body.toString();
}

it("IPv4 addresses are tried first, however the name resolves", async () => {
  const port = await listenAtAll({
    "127.0.0.1": (_request, response) => response.end("IPv4"),
    "::1": (_request, response) => response.end("IPv6"),
  });
  expect(await get(port, ["::1", "127.0.0.1"], 60_000)).toBe("IPv4");
});

it.each([
  [30_000, 2_500],
  [3_000, 1_500],
])("of %i ms, an address has %i ms to answer before the next one is tried", async (timeoutMs, expected) => {
  const connecting = vi.spyOn(Socket.prototype, "connect");
  const port = await listen((_request, response) => response.end("here"));
  expect(await get(port, ["::1", "127.0.0.1"], timeoutMs)).toBe("here");
  expect(connecting.mock.calls.flat(2)).toContainEqual(
    expect.objectContaining({ autoSelectFamilyAttemptTimeout: expected }),
  );
});
