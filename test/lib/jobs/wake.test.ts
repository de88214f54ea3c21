import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newJob } from "../../../lib/jobs/job.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { wake } from "../../../lib/jobs/wake.ts";
import { mockQueue } from "../../support/aws/mock-queue.ts";

const queue = mockQueue();

beforeEach(() => {
  queue.reset();
  vi.useFakeTimers({ toFake: ["Date"] });
  return () => vi.useRealTimers();
});
afterEach(() => void vi.restoreAllMocks());

const named = (id: string) => ({ ...newJob("drain", "w", { endpointId: "e" }), id });

/** A waiting job that is due in `delaySeconds`, as after a failed run. */
async function waiting(id: string, delaySeconds: number): Promise<void> {
  await wake([named(id)]);
  const running = await Job.claim(id, 60_000);
  await Job.putBack(running as Job.Running, { payload: {}, delaySeconds, attempts: 0 });
  queue.reset();
}

describe("wake", () => {
  it("makes a job that is due in hours due now, and sends its message", async () => {
    await waiting("hours", 7_200);
    await wake([named("hours")]);
    expect(await Job.get("hours")).toMatchObject({ state: "waiting", dueAt: Date.now() });
    expect(queue.sent()).toEqual([{ id: "hours", delaySeconds: 0 }]);
  });

  it("sends nothing for a job that is due within a second", async () => {
    await waiting("soon", 1);
    await wake([named("soon")]);
    expect(queue.sent()).toEqual([]);
  });

  it("runs a job again that is done or has failed", async () => {
    for (const state of ["done", "failed"] as const) {
      await wake([named(state)]);
      await Job.finish((await Job.claim(state, 60_000)) as Job.Running, state);
      queue.reset();
      await wake([named(state)]);
      expect(await Job.get(state)).toMatchObject({ state: "waiting", dueAt: Date.now(), attempts: 0 });
      expect(await Job.get(state)).not.toHaveProperty("ttl");
      expect(queue.sent()).toEqual([{ id: state, delaySeconds: 0 }]);
    }
  });

  it("runs a job again whose lease has ended", async () => {
    await wake([named("lapsed")]);
    await Job.claim("lapsed", 60_000);
    vi.setSystemTime(Date.now() + 60_000);
    await wake([named("lapsed")]);
    expect(await Job.get("lapsed")).toMatchObject({ state: "waiting" });
    expect(await Job.get("lapsed")).not.toHaveProperty("leaseId");
  });
});
