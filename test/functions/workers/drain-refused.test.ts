// No delivery reaches a refused address, whatever the endpoint's URL.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { commit } from "../../../lib/jobs/commit.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import { logText } from "../../support/capture-logs.ts";
import { refusedRanges } from "../../support/net/ranges.ts";
import { addEndpoint, deliveriesOf, emit, eventOf, hooked, receiver } from "../../support/webhooks.ts";

let workspace: string;
beforeEach(async () => {
  workspace = (await hooked()).apiKey;
  vi.stubEnv("EGRESS_ALLOW_CIDRS", "");
});
afterEach(() => void vi.unstubAllEnvs());

/** Sends an event to an endpoint whose URL was stored without a check. Returns the logged delivery. */
async function attemptAt(url: string) {
  const { id } = await addEndpoint(workspace, { url: "https://example.com" });
  const endpoint = { workspace, endpointId: id };
  await commit([WebhookEndpoint.updating(endpoint, { set: { url } })]);
  await emit(workspace, eventOf(workspace));
  const [logged] = await deliveriesOf(workspace, id);
  await WebhookEndpoint.update(endpoint, { set: { disabled: true } });
  return logged;
}

const { "no address at all": _, ...ranges } = refusedRanges;
const hostOf = (address: string) => (address.includes(":") ? `[${address.replace(/%.*/, "")}]` : address);

it.each(Object.entries(ranges).filter(([name]) => name !== "with a zone"))(
  "sends nothing to an address of the range: %s",
  async (_name, addresses) => {
    for (const address of addresses) {
      const logged = await attemptAt(`http://${hostOf(address)}/hooks`);
      expect(logged, address).toMatchObject({ status: "pending", attempts: 1, last: { error: expect.any(String) } });
      expect(logged?.last, address).not.toHaveProperty("code");
    }
  },
);

it.each([
  ["the host localhost", (port: string) => `http://localhost:${port}/`],
  ["a decimal address", (port: string) => `http://2130706433:${port}/`],
  ["an octal address", (port: string) => `http://0177.0.0.1:${port}/`],
  ["a hexadecimal address", (port: string) => `http://0x7f000001:${port}/`],
  ["credentials", (port: string) => `http://user:secret-in-url@127.0.0.1:${port}/`],
  ["the scheme file", () => "file:///etc/passwd"],
])("sends nothing to a URL with %s, and does not log the URL", async (_name, urlOf) => {
  const { received, url } = await receiver();
  const logged = await attemptAt(urlOf(new URL(url).port));
  expect(logged).toMatchObject({ status: "pending", last: { error: expect.any(String) } });
  expect(received).toEqual([]);
  expect(logText()).not.toContain("secret-in-url");
});
