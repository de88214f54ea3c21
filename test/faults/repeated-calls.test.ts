// A fault at each call to AWS of the endpoints that change feature data, editors and inboxes. The client then repeats
// the request. Both together must end as one call without a fault.
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type CallFault, callFaults, injectFault } from "../support/aws/faulted-calls.ts";
import type { Credentials } from "../support/call.ts";
import { prepareFurniture } from "../support/contract/furnished-workspace.ts";
import { named } from "../support/contract/requests.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { callsStep } from "../support/long.ts";
import { arranged, endOf, type Scene, scenes, send } from "../support/repeated-calls.ts";

beforeAll(async () => {
  newTableInMemory();
  await prepareFurniture();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

async function sendFaulted(as: Credentials, { endpoint, data }: Scene, fault: CallFault, at: number, key?: string) {
  const wasReached = injectFault(fault, at);
  vi.spyOn(Math, "random").mockReturnValue(0);
  const { status } = await send(as, endpoint, data, key);
  vi.restoreAllMocks();
  expect(status).toBeOneOf([200, 500, 503]);
  return wasReached();
}

/** The lease of the first attempt has ended. */
async function repeat(as: Credentials, { endpoint, data }: Scene, key?: string) {
  injectFault("the call is throttled", Number.POSITIVE_INFINITY);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + named(endpoint).timeoutSeconds * 1_000 + 2_000 });
  const reply = await send(as, endpoint, data, key);
  vi.useRealTimers();
  vi.restoreAllMocks();
  return reply;
}

/** Which items succeeded. The messages of a repeat without a key differ: it finds the work done. */
const outcomesIn = (data: string) => data.match(/"success":(?:true|false)/g);

describe.each(scenes)("$name", (scene) => {
  it.each(callFaults.flatMap((fault) => [[fault, "a key"] as const, [fault, "no key"] as const]))(
    "%s, with %s: the repeat ends as one call",
    async (fault, what) => {
      const key = what === "a key" ? "key" : undefined;
      const clean = await arranged(scene);
      const expected = await repeat(clean, scene, key);
      expect(expected.status).toBe(200);
      const end = await endOf(clean);
      let at = callFaults.indexOf(fault) % callsStep;
      for (let isReached = true; isReached; at += callsStep) {
        const as = await arranged(scene);
        isReached = await sendFaulted(as, scene, fault, at, key);
        const reply = await repeat(as, scene, key);
        const [got, wanted] = key ? [reply.data, expected.data] : [outcomesIn(reply.data), outcomesIn(expected.data)];
        expect({ at, status: reply.status, got }).toEqual({ at, status: 200, got: wanted });
        expect(await endOf(as), `call ${at}`).toEqual(end);
      }
      expect(at).toBeGreaterThan(3);
    },
  );
});
