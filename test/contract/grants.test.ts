// Each endpoint uses its grants: none is unused. `test/support/exact/role.ts` refuses what it does not declare.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { named, sourceOf } from "../../infra/deployables.ts";
import { aiKeyGrants } from "../../lib/grants.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { type EventType, eventTypes } from "../../lib/schema/events.ts";
import { atAwsEdge } from "../support/aws/edge.ts";
import { contextOf, eventOf } from "../support/call.ts";
import { logs } from "../support/capture-logs.ts";
import {
  differsWithoutEvents,
  pathParametersFor,
  requestsFor,
  workspaceFor,
} from "../support/contract/grant-requests.ts";
import { inContainer, running } from "../support/exact/containers.ts";
import { grantsFor } from "../support/exact/role.ts";

/** Names of functions, each with a grant. */
const used = new Set<string>();

beforeEach(() => {
  used.clear();
  vi.useFakeTimers({ toFake: ["Date"] });
  atAwsEdge((command, call) => {
    const name = running()?.name;
    if (name !== undefined) for (const grant of grantsFor(command).flat()) used.add(`${name} ${grant}`);
    return call();
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The requests use the key of one vendor. */
const otherAiKeys = aiKeyGrants("unseal").filter((grant) => !grant.endsWith("openai"));

/** Grants that are used only with the reply of a vendor. The tests of these functions fake the vendor. */
const needsVendor: Record<string, string[]> = {
  "memory-ask": aiKeyGrants("unseal"),
  "ask-ai": otherAiKeys,
  "agents-extract": ["file:list", "file:write", "queue:ingest"],
  // S3 uses the grant when it takes the file.
  "agents-uploads-create": ["file:write"],
  // The furnished workspace has no permission provider.
  "live-open": ["table:slots", "key:unseal:permission-provider"],
  // The furnished workspace has no key of a provider, and the deployment no sender.
  "emailconfig-test": ["mail:send", "key:unseal:email-api-key", "key:seal:address-hash", "key:unseal:address-hash"],
};

async function run(endpoint: Endpoint, wantedEvents: readonly EventType[]): Promise<void> {
  const as = await workspaceFor(endpoint, wantedEvents);
  const { handler } = await import(/* @vite-ignore */ `../../${sourceOf(endpoint)}`);
  const pathParameters = await pathParametersFor(endpoint, as);
  const requests = requestsFor(endpoint).map((data, index) => ({
    data,
    headers: { "idempotency-key": `key-${index}` },
  }));
  // Repeats the first request, so that the endpoint reads its stored reply.
  if (endpoint.isWrite) requests.push(...requests.slice(0, 1));
  for (const [index, { data, headers }] of requests.entries()) {
    // By then, the container has forgotten the data key of that reply.
    if (endpoint.isWrite && index === requests.length - 1) vi.setSystemTime(Date.now() + 5 * 60_000);
    const event = eventOf(endpoint, { as, data, headers, pathParameters });
    const reply = await inContainer(endpoint, () => handler(event, contextOf(endpoint.name)));
    expect(reply).toHaveProperty("statusCode", 200);
  }
}

it.each(named.map((each) => [each.name, each] as const))("%s uses exactly its grants", async (_, endpoint) => {
  await run(endpoint, eventTypes);
  if (differsWithoutEvents.includes(endpoint.name)) await run(endpoint, []);
  if (logs().some(({ endpoint: name, liveRequests }) => name === endpoint.name && liveRequests)) {
    used.add(`${endpoint.name} live:publish`);
  }
  // The tenth call of a workspace also uses `table:calls`: call-limit.test.ts calls so often.
  const own = endpoint.grants.filter((grant) => grant !== "table:calls");
  const unused = own.filter((grant) => !used.has(`${endpoint.name} ${grant}`));
  const hint = "remove these grants, or add a request that uses them to `more` in this file";
  expect(unused, hint).toEqual(needsVendor[endpoint.name] ?? []);
});
