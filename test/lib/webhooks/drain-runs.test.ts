// Runs of an endpoint's deliveries in simulated time. The store and the receiver are fakes.
import { beforeEach, expect, it, vi } from "vitest";
import { inCall, newCall } from "../../../lib/call.ts";
import type { Pending } from "../../../lib/store/webhooks/delivery.ts";
import { drain } from "../../../lib/webhooks/drain-deliveries.ts";
import { SimulatedTime } from "../../support/simulated-time.ts";

const world = vi.hoisted(() => ({
  pending: [] as Pending[],
  nextFree: undefined as number | undefined,
  rateLimit: 1,
  endpoint: { disabled: false, isOn: true },
  onAttempt: () => {},
  /** Before each read of the endpoint, and whether a move of the rate meets another one. */
  beforeRead: async () => {},
  isConflict: (): boolean => false,
}));

// A backoff takes real time, and the simulated clock does not wait for it.
vi.mock("../../../lib/concurrency.ts", async (original) => ({
  ...(await original<object>()),
  pause: async () => {},
}));

vi.mock("../../../lib/store/webhooks/delivery.ts", () => ({
  due: async (_ref: object, _time: number, limit: number) => world.pending.slice(0, limit),
  nextDueAt: async () => world.pending[0]?.dueAt,
  finish: async (_ref: object, done: { pending: Pending }[]) => {
    const ids = new Set(done.map(({ pending }) => pending.id));
    world.pending = world.pending.filter(({ id }) => !ids.has(id));
  },
}));
vi.mock("../../../lib/store/webhooks/webhook-endpoint.ts", () => ({
  getForDelivery: async () => {
    await world.beforeRead();
    const { rateLimit, endpoint } = world;
    return { isOn: endpoint.isOn, endpoint: { disabled: endpoint.disabled, rateLimit, secrets: [] } };
  },
}));
vi.mock("../../../lib/store/webhooks/webhook-rate.ts", () => ({
  nextFree: async () => world.nextFree,
  move: async (_ref: object, from: number | undefined, to: number) => {
    if (world.nextFree !== from || world.isConflict()) return false;
    world.nextFree = to;
    return true;
  },
}));
const starts: number[] = [];
const started: string[] = [];
const time = new SimulatedTime(1_000);
vi.mock("../../../lib/webhooks/attempt-delivery.ts", () => ({
  timeoutMs: 15_000,
  attempt: async (_url: string, _secrets: object, { id }: Pending) => {
    starts.push(time.now());
    started.push(id);
    world.onAttempt();
    return { isDelivered: true, last: {} };
  },
}));
vi.mock("../../../lib/webhooks/endpoint-secrets.ts", () => ({ signingSecrets: async () => [] }));

beforeEach(() => {
  starts.length = 0;
  started.length = 0;
  world.beforeRead = async () => {};
  world.isConflict = () => false;
  world.nextFree = undefined;
  world.endpoint = { disabled: false, isOn: true };
  world.onAttempt = () => {};
});

it("drain sends 10,000 deliveries at one per second in runs of nearly 30 seconds each", async () => {
  world.pending = Array.from({ length: 10_000 }, (_, index) => ({ id: `d${index}`, dueAt: 0 }) as Pending);
  const from = time.now();
  let runs = 0;
  for (let next: number | undefined = 0; next !== undefined; runs++) {
    next = await time.run(drain({ workspace: "w", endpointId: "e" }, time.now() + 55_000, time));
  }
  expect(starts).toHaveLength(10_000);
  const seconds = (time.now() - from) / 1_000;
  expect(seconds).toBeLessThan(11_001);
  // A run ends at its last slot, which is up to 1.1 s before the end of its 30 seconds.
  expect(runs).toBeLessThanOrEqual(Math.ceil(seconds / (30 - 1.1)) + 1);
  expect(starts.every((start, index) => index === 0 || start - (starts[index - 1] ?? 0) >= 1_000)).toBe(true);
});

it.each([
  ["the endpoint is disabled", { disabled: true, isOn: true }],
  ["webhooks are switched off", { disabled: false, isOn: false }],
])("drain makes no further attempt after %s, and keeps the other deliveries", async (_, endpoint) => {
  world.pending = ["a", "b", "c"].map((id) => ({ id, dueAt: 0 }) as Pending);
  world.onAttempt = () => {
    world.endpoint = endpoint;
  };
  expect(await time.run(drain({ workspace: "w", endpointId: "e" }, time.now() + 55_000, time))).toBeUndefined();
  expect(starts).toHaveLength(1);
  expect(world.pending.map(({ id }) => id)).toEqual(["b", "c"]);
});

it.each([0, 1, 7, 20, 300])(
  "first attempts start in the order of the events at a rate limit of %i, whatever the table waits for",
  async (rateLimit) => {
    let [reads, moves] = [0, 0];
    world.rateLimit = rateLimit;
    // Each read takes another time, some longer than a slot waits for its attempt. The rate is moved meanwhile.
    world.beforeRead = () => time.sleepUntil(time.now() + ((++reads * 37) % 190));
    world.isConflict = () => ++moves % 3 === 0;
    const ids = Array.from({ length: 60 }, (_, index) => `d${index}`);
    world.pending = ids.map((id) => ({ id, dueAt: 0 }) as Pending);
    for (let next: number | undefined = 0; next !== undefined; ) {
      next = await time.run(drain({ workspace: "w", endpointId: "e" }, time.now() + 55_000, time));
    }
    world.rateLimit = 1;
    expect(started).toEqual(ids);
    const apart = starts.slice(rateLimit).map((start, index) => start - (starts[index] ?? 0));
    if (rateLimit > 0) expect(Math.min(...apart, 1_000)).toBe(1_000);
  },
);

/** The metrics of a run that ends while deliveries are due, all since 900 s. */
async function measuresOf(rateLimit: number, until: number) {
  world.rateLimit = rateLimit;
  world.pending = Array.from(
    { length: 100 },
    (_, index) => ({ id: `d${index}`, dueAt: time.now() - 900_000 }) as Pending,
  );
  const record = newCall("request");
  await time.run(inCall(record, () => drain({ workspace: "w", endpointId: "e" }, until, time)));
  world.rateLimit = 1;
  expect(world.pending.length).toBeGreaterThan(0);
  return record.measures;
}

it("a run that ends with deliveries that are due measures how late the oldest is", async () => {
  expect(await measuresOf(0, time.now())).toEqual({ webhookBacklogSeconds: 900 });
});

it("deliveries that wait for the endpoint's own rate limit are no backlog", async () => {
  expect(await measuresOf(1, time.now() + 55_000)).toEqual({});
});
