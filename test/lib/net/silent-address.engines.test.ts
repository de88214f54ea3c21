import { expect, it } from "vitest";
import { egress } from "../../../lib/net/egress.ts";
import { send } from "../../../lib/net/send.ts";
import { blackHole } from "../../support/net/black-hole.ts";
import { listen, resolver } from "../../support/net/listen.ts";

it("an address that never answers leaves time for the next one", async () => {
  const port = await listen((_request, response) => response.end("here"));
  await blackHole("127.0.0.2", port);
  const through = egress("127.0.0.0/8", resolver(["127.0.0.2", "127.0.0.1"]).resolve);
  const url = `http://hooks.example:${port}/`;
  const { body } = await send({ url, method: "GET", timeoutMs: 3_000, maxBytes: 1_000 }, through);
  expect(body.toString()).toBe("here");
});
