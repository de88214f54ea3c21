// A dependency of every endpoint is connected and silent, or the table conflicts without end. The call fails within half
// of its time.
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sourceOf } from "../../infra/deployables.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import type { Handler } from "../../lib/http/lambda.ts";
import { monotonicMs } from "../../lib/monotonic.ts";
import { type AwsCommand, atAwsEdge } from "../support/aws/edge.ts";
import { conflicting } from "../support/aws/faulted-calls.ts";
import { contextOf, eventOf } from "../support/call.ts";
import { furnishedWorkspace, prepareFurniture } from "../support/contract/furnished-workspace.ts";
import { dataOf, named, posts } from "../support/contract/requests.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";

beforeAll(async () => {
  newTableInMemory();
  await prepareFurniture();
  newTableInMemory();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Names of the commands that hang. */
const silent = {
  "the table's reads": /^(?:Get|BatchGet|Query)Command$/,
  "the table's writes": /^(?:Put|Update|Delete|BatchWrite|TransactWrite)Command$/,
  "the key service": /^(?:Decrypt|GenerateDataKey)Command$/,
  "the bucket": /Objects?(?:V2)?Command$/,
};
const hang = () => new Promise<never>(() => {});

type Pass = (command: AwsCommand, call: () => Promise<unknown>) => Promise<unknown>;

/**
 * Calls the endpoint under a key, in fake time. The commands for which `isHeld` is true get `held` in place of a reply.
 * `isInTime`: the call took less than half of its time from the first such command.
 */
async function callWhile(endpoint: Endpoint, isHeld: (name: string) => boolean, held: Pass) {
  const as = await furnishedWorkspace(endpoint);
  const { handler } = (await import(/* @vite-ignore */ `../../${sourceOf(endpoint)}`)) as { handler: Handler };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] });
  let heldSince: number | undefined;
  atAwsEdge((command, call) => {
    if (!isHeld(command.constructor.name)) return call();
    heldSince ??= monotonicMs();
    return held(command, call);
  });
  const event = eventOf(endpoint, { as, data: dataOf(endpoint), headers: { "idempotency-key": "key" } });
  let reply: Awaited<ReturnType<Handler>> | undefined;
  void handler(event as never, contextOf(endpoint.name) as never).then((each) => {
    reply = each;
  });
  // Work of other threads, such as the making of a key, takes turns too.
  for (; !reply; await setImmediate()) vi.advanceTimersByTime(heldSince === undefined ? 1 : 20);
  const ms = monotonicMs() - (heldSince ?? monotonicMs());
  vi.useRealTimers();
  vi.restoreAllMocks();
  return { status: reply.statusCode, isInTime: ms < endpoint.timeoutSeconds * 500, isHeld: heldSince !== undefined };
}

describe.each(posts)("$name", (endpoint) => {
  it.each(Object.entries(silent))("ends in time without answers of %s", async (_, names) => {
    const { isHeld, ...outcome } = await callWhile(endpoint, (name) => names.test(name), hang);
    expect(outcome).toEqual({ status: isHeld ? expect.toBeOneOf([200, 503]) : expect.any(Number), isInTime: true });
  });

  it("ends in time while each write conflicts", async () => {
    const { isInTime } = await callWhile(endpoint, () => true, conflicting);
    expect(isInTime).toBe(true);
  });
});

it.each(["documents-add", "webhook-endpoints-create"])("%s is UNAVAILABLE while the table is silent", async (name) => {
  for (const names of [silent["the table's reads"], silent["the table's writes"]]) {
    expect(await callWhile(named(name), (each) => names.test(each), hang)).toMatchObject({ status: 503 });
  }
  expect(await callWhile(named(name), () => true, conflicting)).toMatchObject({ status: 503 });
});
