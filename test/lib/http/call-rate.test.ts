// Simulates the containers of a deployment, which share a table in memory. Time is simulated too.

import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../lib/errors.ts";
import { CallCounter, serversOf } from "../../../lib/http/call-rate.ts";
import { Secret } from "../../../lib/secret.ts";
import type { Bucket } from "../../../lib/store/call-count.ts";
import * as CallCount from "../../../lib/store/call-count.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { logs } from "../../support/capture-logs.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import fc from "../../support/property.ts";

const perSecond = 100;
const burst = 200;
const workspaceOf = (apiKey: string, callsPerSecond = perSecond, callsBurst = burst): Bucket =>
  serversOf({ apiKey, name: "", createdAt: "", cursorSecret: new Secret(""), callsPerSecond, callsBurst });
const workspace = workspaceOf("w");
const newContainers = (count: number) => Array.from({ length: count }, () => new CallCounter());

beforeEach(newTableInMemory);
afterEach(() => void vi.restoreAllMocks());

/** Makes a call. Returns whether it is admitted. Its booking, if any, joins `bookings`. */
function isAdmitted(container: CallCounter, now: number, bookings: Promise<unknown>[], of = workspace): boolean {
  try {
    const booking = container.admit([of], now);
    if (booking) bookings.push(booking);
    return true;
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ApiError);
    return false;
  }
}

describe("a workspace that keeps its limit", () => {
  it("is never refused, whatever the containers, the pauses and the delays of bookings", async () => {
    const step = fc.record({
      container: fc.nat(5),
      pauseMs: fc.oneof({ weight: 8, arbitrary: fc.nat(15) }, { weight: 1, arbitrary: fc.nat(5_000) }),
      calls: fc.oneof({ weight: 8, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.nat(250) }),
      isSettled: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 150 }), async (steps) => {
        newTableInMemory();
        const containers = newContainers(6);
        const bookings: Promise<unknown>[] = [];
        let [now, tokens] = [1_000_000, burst];
        for (const { container, pauseMs, calls, isSettled } of steps) {
          now += pauseMs;
          tokens = Math.min(burst, tokens + (pauseMs * perSecond) / 1_000);
          for (let count = 0; count < calls && tokens >= 1; count++, tokens--) {
            expect(isAdmitted(containers[container] as CallCounter, now, bookings)).toBe(true);
          }
          if (isSettled) await Promise.all(bookings);
        }
        await Promise.all(bookings);
      }),
      { numRuns: 60 },
    );
  });

  it("is not refused for calls that a container booked long after it made them", async () => {
    const containers = newContainers(40);
    const bookings: Promise<unknown>[] = [];
    // 360 calls in 40 s, of which none is booked.
    for (const [index, container] of containers.entries())
      for (let call = 0; call < 9; call++) isAdmitted(container, index * 1_000, bookings);
    expect(bookings).toEqual([]);
    // A burst at a full bucket: each container books its nine former calls with one of these.
    for (let call = 0; call < 200; call++)
      expect(isAdmitted(containers[call % 40] as CallCounter, 100_000, bookings)).toBe(true);
    await Promise.all(bookings);
    for (const container of containers.slice(0, 20)) expect(isAdmitted(container, 101_000, bookings)).toBe(true);
  });
});

describe("a workspace above its limit", () => {
  it("gets its limit and at most 10 further calls in each container, and then its rate", async () => {
    const containers = newContainers(5);
    const bookings: Promise<unknown>[] = [];
    const seconds = 60;
    let admitted = 0;
    // 300 calls a second.
    for (let call = 0; call < seconds * 300; call++) {
      const now = 1_000_000 + Math.floor((call * 1_000) / 300);
      if (isAdmitted(containers[call % 5] as CallCounter, now, bookings)) admitted += 1;
      await Promise.all(bookings.splice(0));
    }
    const allowed = burst + perSecond * seconds;
    expect(admitted).toBeGreaterThanOrEqual(allowed - 10 * containers.length);
    expect(admitted).toBeLessThanOrEqual(allowed + 10 * containers.length);
  });

  it("is told when to try again, and is admitted then", async () => {
    const [container] = newContainers(1) as [CallCounter];
    const bookings: Promise<unknown>[] = [];
    let calls = 0;
    for (; isAdmitted(container, 0, bookings); calls++) await Promise.all(bookings);
    expect(calls).toBe(burst + 3);
    const slow = workspaceOf("slow", 1, 10);
    for (; isAdmitted(container, 0, bookings, slow); ) await Promise.all(bookings);
    expect(() => container.admit([slow], 0)).toThrow(
      "The workspace makes more than 1 calls a second, or too many run at once. Try again after 1 s.",
    );
    const refused = vi.fn(() => container.admit([slow], 0));
    expect(refused).toThrow(
      expect.objectContaining({ status: "RESOURCE_EXHAUSTED", http: { headers: { "retry-after": "1" } } }),
    );
    expect(isAdmitted(container, 1_000, bookings, slow)).toBe(true);
  });

  it("does not affect another workspace in the same containers", async () => {
    const containers = newContainers(3);
    const bookings: Promise<unknown>[] = [];
    const other = workspaceOf("other");
    for (let call = 0; call < 3_000; call++) {
      const now = 1_000_000 + call;
      isAdmitted(containers[call % 3] as CallCounter, now, bookings);
      if (call % 10 === 0) expect(isAdmitted(containers[call % 3] as CallCounter, now, bookings, other)).toBe(true);
      await Promise.all(bookings.splice(0));
    }
    expect(isAdmitted(containers[0] as CallCounter, 1_003_000, bookings)).toBe(false);
  });
});

describe("calls that run for seconds", () => {
  /** Starts the calls at once, each in a container of its own. Returns how many still run after each second. */
  async function running(calls: number, seconds: number): Promise<number[]> {
    const bookings: Promise<unknown>[] = [];
    let containers = newContainers(calls).filter((container) => isAdmitted(container, 0, bookings));
    const counts: number[] = [];
    for (let second = 1; second <= seconds; second++) {
      const spent = await Promise.allSettled(containers.map((each) => each.spend(workspace, second * 1_000)));
      containers = containers.filter((_, index) => spent[index]?.status === "fulfilled");
      counts.push(containers.length);
    }
    return counts;
  }

  it("are not ended at the rate of the limit, however long they run", async () => {
    expect(await running(perSecond, 60)).toEqual(Array(60).fill(perSecond));
  });

  it("go on when their booking fails, and their next seconds are booked together", async () => {
    const { promise: silence, reject } = Promise.withResolvers<never>();
    const { promise: booked, resolve: isBooked } = Promise.withResolvers<void>();
    let updates = 0;
    atAwsEdge((command, call) => {
      if (!(command instanceof UpdateCommand) || ++updates > 1) return call();
      isBooked();
      return silence;
    });
    const [container] = newContainers(1) as [CallCounter];
    const slow = container.spend(workspace, 1_000);
    await booked;
    const later = Array.from({ length: 50 }, () => container.spend(workspace, 2_000));
    reject(new Error("No answer."));
    await Promise.all([slow, ...later]);
    expect(updates).toBe(2);
    expect(await CallCount.get({ workspace: "w" })).toMatchObject({ calls: 50 });
  });

  it("go on where another container's clock is ahead", async () => {
    const [one, other] = newContainers(2) as [CallCounter, CallCounter];
    await one.spend(workspace, 6_000);
    await expect(other.spend(workspace, 1_000)).resolves.toBeUndefined();
  });

  it("end above it, after a second in which the burst is used up", async () => {
    const counts = await running(1_000, 20);
    expect(counts[0]).toBeLessThanOrEqual(burst);
    // The later a second, the fewer tokens are left above the rate.
    expect(counts.slice(5).every((count) => count <= perSecond)).toBe(true);
  });
});

describe("a booking", () => {
  const commands: string[] = [];
  beforeEach(() => {
    commands.length = 0;
    atAwsEdge((command, call) => {
      commands.push(command.constructor.name);
      return call();
    });
  });

  async function calls(container: CallCounter, count: number, of = workspace): Promise<void> {
    for (let call = 0; call < count; call++) await container.admit([of], 1_000);
  }

  it("is made once in 10 calls, by one update of one unit", async () => {
    const [container] = newContainers(1) as [CallCounter];
    await calls(container, 9);
    expect(commands).toEqual([]);
    await calls(container, 1);
    expect(commands.splice(0)).toEqual(["GetCommand", "UpdateCommand"]);
    await calls(container, 100);
    expect(commands).toEqual(Array(10).fill("UpdateCommand"));
    expect(await CallCount.get({ workspace: "w" })).toMatchObject({ since: 1_000, calls: 110 });
  });

  it("counts more calls at a higher rate, so that one item takes them all", async () => {
    const [container] = newContainers(1) as [CallCounter];
    await calls(container, 499, workspaceOf("w", 50_000, 100_000));
    expect(commands).toEqual([]);
    await calls(container, 1, workspaceOf("w", 50_000, 100_000));
    expect(commands).toEqual(["GetCommand", "UpdateCommand"]);
  });

  it("counts the calls of concurrent containers, none twice and none lost", async () => {
    const containers = newContainers(8);
    for (let call = 0; call < 100; call++)
      await Promise.all(containers.map((container) => container.admit([workspaceOf("w", 1_000, 2_000)], 1_000)));
    expect(await CallCount.get({ workspace: "w" })).toMatchObject({ calls: 800 });
  });

  it("does not fail its call when the table is busy", async () => {
    vi.restoreAllMocks();
    atAwsEdge((command, call) => {
      if (command.constructor.name === UpdateCommand.name) throw new Error("Throttled.");
      return call();
    });
    const [container] = newContainers(1) as [CallCounter];
    await calls(container, 20);
    expect(logs()).toContainEqual(expect.objectContaining({ level: "warn", message: "Calls were not counted." }));
  });
});
