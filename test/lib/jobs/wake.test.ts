import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as Job from "../../../lib/jobs/store.ts";
import { wake } from "../../../lib/jobs/wake.ts";
import { newJob } from "../../../lib/store/job.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockQueue } from "../../support/aws/mock-queue.ts";
import { claimed } from "../../support/jobs.ts";

const queue = mockQueue();

beforeEach(() => {
  queue.reset();
  vi.useFakeTimers({ toFake: ["Date"] });
  return () => vi.useRealTimers();
});
afterEach(() => void vi.restoreAllMocks());

const jobWithId = (id: string) => ({ ...newJob("drain", "w", { endpointId: "e" }), id });

/** Stores a job that waits for `delaySeconds`, as after a failed run. */
async function storeWaiting(id: string, delaySeconds: number): Promise<void> {
  await wake([jobWithId(id)]);
  await Job.putBack(await claimed(id), { payload: {}, delaySeconds, attempts: 0 });
  queue.reset();
}

describe("wake", () => {
  it("makes a job due now instead of in two hours, and sends its message", async () => {
    await storeWaiting("hours", 7_200);
    await wake([jobWithId("hours")]);
    expect(await Job.get("hours")).toMatchObject({ state: "waiting", dueAt: Date.now() });
    expect(queue.sent()).toEqual([{ id: "hours", delaySeconds: 0 }]);
  });

  it("sends nothing for a job that is due within a second", async () => {
    await storeWaiting("soon", 1);
    await wake([jobWithId("soon")]);
    expect(queue.sent()).toEqual([]);
  });

  it("does not shorten the wait after a failed run", async () => {
    await wake([jobWithId("broken")]);
    await Job.putBack(await claimed("broken"), { payload: {}, delaySeconds: 512, attempts: 9 });
    queue.reset();
    const before = await Job.get("broken");
    await wake([jobWithId("broken")]);
    expect(await Job.get("broken")).toEqual(before);
    expect(queue.sent()).toEqual([]);
  });

  it("makes a done or failed job wait again, due now", async () => {
    for (const state of ["done", "failed"] as const) {
      await wake([jobWithId(state)]);
      await Job.finish(await claimed(state), state);
      queue.reset();
      await wake([jobWithId(state)]);
      expect(await Job.get(state)).toMatchObject({ state: "waiting", dueAt: Date.now(), attempts: 0 });
      expect(await Job.get(state)).not.toHaveProperty("ttl");
      expect(queue.sent()).toEqual([{ id: state, delaySeconds: 0 }]);
    }
  });

  it("makes a job wait again when its lease has ended", async () => {
    await wake([jobWithId("lapsed")]);
    await claimed("lapsed", 60_000);
    vi.setSystemTime(Date.now() + 60_000);
    await wake([jobWithId("lapsed")]);
    expect(await Job.get("lapsed")).toMatchObject({ state: "waiting", attempts: 1 });
    expect(await Job.get("lapsed")).not.toHaveProperty("leaseId");
  });

  it("marks a running job, also for a time after its lease: it runs again, and an earlier time can still wake it", async () => {
    await wake([jobWithId("busy")]);
    const job = await claimed("busy", 60_000);
    await wake([{ ...jobWithId("busy"), dueAt: Date.now() + 120_000 }]);
    expect(await Job.get("busy")).toMatchObject({ state: "running", leaseId: job.leaseId, woken: true });
    expect(await Job.putBack(job, { payload: {}, delaySeconds: 100, attempts: 0 })).toBe(false);
    expect(await Job.putBack(job, { payload: {}, delaySeconds: 0, attempts: 0, evenIfWoken: true })).toBe(true);
    await Job.putBack(await claimed("busy"), { payload: {}, delaySeconds: 100, attempts: 0 });
    await wake([jobWithId("busy")]);
    expect(await Job.get("busy")).toMatchObject({ state: "waiting", dueAt: Date.now() });
  });

  it("does not put off what a worker that died has left", async () => {
    await wake([jobWithId("died")]);
    await claimed("died", 60_000);
    vi.setSystemTime(Date.now() + 60_000);
    const now = Date.now();
    queue.reset();
    await wake([{ ...jobWithId("died"), dueAt: now + 120_000 }]);
    expect(await Job.get("died")).toMatchObject({ state: "waiting", dueAt: now, attempts: 1 });
    expect(queue.sent()).toEqual([{ id: "died", delaySeconds: 0 }]);
  });

  it("makes the sweeper look at the job now, also when it looks at the job meanwhile", async () => {
    await storeWaiting("looked", 100);
    let isFirst = true;
    interceptStore(async ({ constructor: { name } }) => {
      if (name !== "UpdateCommand" || !isFirst) return;
      isFirst = false;
      expect(await Job.look((await Job.get("looked")) as Job.Running)).toBe(true);
    });
    await wake([jobWithId("looked")]);
    expect(isFirst).toBe(false);
    expect(await Job.get("looked")).toMatchObject({ dueAt: Date.now(), sweepAt: Date.now() });
    expect(queue.sent()).toEqual([{ id: "looked", delaySeconds: 0 }]);
  });
});
