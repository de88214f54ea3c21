import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { listed, toSweep } from "../../../lib/jobs/list.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { duePartition, failedPartition, jobKey, newJob, partitionsOf } from "../../../lib/store/job.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { claimed } from "../../support/jobs.ts";

const leaseMs = 75_000;
const workspace = "w";

async function stored(): Promise<string> {
  const job = newJob("purge", workspace, { step: 0 });
  await commit([], { jobs: [job] });
  return job.id;
}
const claim = (id: string) => claimed(id, leaseMs);
const outcomeOf = async (id: string) => (await Job.claim(id, leaseMs)).outcome;
/** Moves the clock forward. */
const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);
const item = (id: string) => Table.get<Record<string, unknown>>(jobKey(id));

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("claim", () => {
  it("gives a lease to one worker until the lease ends", async () => {
    const id = await stored();
    expect(await claim(id)).toMatchObject({ state: "running", attempts: 1, dueAt: Date.now() + leaseMs });
    advance(leaseMs - 1);
    expect(await outcomeOf(id)).toBe("none");
    advance(1);
    expect(await claim(id)).toMatchObject({ attempts: 2 });
  });

  it("gives the lease to one of five concurrent claims, for a waiting job and after a lease has ended", async () => {
    const id = await stored();
    for (let attempts = 1; attempts <= 2; attempts++) {
      const claims = await Promise.all(Array.from({ length: 5 }, () => Job.claim(id, leaseMs)));
      const running = claims.flatMap(({ outcome, job }) => (outcome === "claimed" ? [job] : []));
      expect(running).toEqual([expect.objectContaining({ attempts })]);
      advance(leaseMs);
    }
  });

  it("gives no lease for a job that has ended or is unknown", async () => {
    for (const state of ["done", "failed"] as const) {
      const id = await stored();
      await Job.finish(await claim(id), state);
      advance(leaseMs);
      expect(await outcomeOf(id)).toBe("none");
    }
    expect(await outcomeOf("unknown")).toBe("none");
  });
});

describe("claim of a waiting job", () => {
  it("gives no lease before the job is due, except after a sweep", async () => {
    const id = await stored();
    await Job.putBack(await claim(id), { payload: {}, delaySeconds: 2, attempts: 1 });
    advance(1_999);
    expect(await Job.claim(id, leaseMs)).toMatchObject({ outcome: "early", job: { dueAt: Date.now() + 1 } });
    advance(1);
    await Job.putBack(await claim(id), { payload: {}, delaySeconds: 4, attempts: 2 });
    await Job.postpone((await Job.get(id)) as Job.Running, Date.now() + 600_000);
    expect(await claim(id)).toMatchObject({ attempts: 3 });
  });

  it("gives no lease when another worker has claimed the job since the read and put it back", async () => {
    const id = await stored();
    let isFirst = true;
    interceptStore(async ({ constructor: { name } }) => {
      if (name !== "UpdateCommand" || !isFirst) return;
      isFirst = false;
      const other = await claim(id);
      advance(5);
      await Job.putBack(other, { payload: { step: 1 }, delaySeconds: 60, attempts: 1 });
    });
    expect(await outcomeOf(id)).toBe("none");
    vi.restoreAllMocks();
    expect(await item(id)).toMatchObject({ state: "waiting", payload: { step: 1 }, attempts: 1 });
  });

  it("gives no lease after the last attempt, and makes the job failed once", async () => {
    const id = await stored();
    for (let attempt = 1; attempt <= Job.attemptsMax; attempt++) {
      await claim(id);
      advance(leaseMs);
    }
    const claims = await Promise.all(Array.from({ length: 3 }, () => outcomeOf(id)));
    expect(claims.toSorted()).toEqual(["exhausted", "none", "none"]);
    expect(await item(id)).toMatchObject({ state: "failed", due: failedPartition({ workspace }) });
  });
});

describe("a lease that has ended", () => {
  it.each(["finish", "putBack"] as const)("does not let %s change the job after another claim", async (verb) => {
    const id = await stored();
    const late = await claim(id);
    advance(leaseMs);
    const next = await claim(id);
    const before = await item(id);
    const changed =
      verb === "finish"
        ? await Job.finish(late, "done")
        : await Job.putBack(late, { payload: { step: 9 }, delaySeconds: 0, attempts: 0 });
    expect(changed).toBe(false);
    expect(await item(id)).toEqual(before);
    expect(await Job.finish(next, "done")).toBe(true);
  });

  it("does not allow a change after the job was put back, ended or postponed", async () => {
    const ends: ((job: Job.Running) => Promise<boolean>)[] = [
      (job) => Job.putBack(job, { payload: {}, delaySeconds: 0, attempts: 0 }),
      (job) => Job.finish(job, "done"),
      (job) => Job.postpone(job, Date.now() + 600_000),
    ];
    for (const end of ends) {
      const job = await claim(await stored());
      expect(await end(job)).toBe(true);
      expect(await Job.finish(job, "failed")).toBe(false);
    }
  });
});

describe("putBack", () => {
  it("stores the payload and the due time of the next step", async () => {
    const id = await stored();
    await Job.putBack(await claim(id), { payload: { step: 1 }, delaySeconds: 60, attempts: 0 });
    const back = { state: "waiting", payload: { step: 1 }, dueAt: Date.now() + 60_000, attempts: 0, sweeps: 0 };
    expect(await item(id)).toMatchObject(back);
    expect(await item(id)).not.toHaveProperty("leaseId");
  });

  it("resets the count of sweeps", async () => {
    const id = await stored();
    await Job.postpone((await Job.get(id)) as Job.Running, Date.now());
    await Job.putBack(await claim(id), { payload: {}, delaySeconds: 0, attempts: 0 });
    expect(await item(id)).toMatchObject({ sweeps: 0 });
  });
});

describe("sweepAt", () => {
  /** Sweeps the job four times: the last sweep postpones it by 80 minutes. */
  async function sweptFourTimes(id: string): Promise<void> {
    for (const minutes of [10, 20, 40, 80]) {
      await Job.postpone((await Job.get(id)) as Job.Running, Date.now() + minutes * 60_000);
      if (minutes < 80) advance(minutes * 60_000);
    }
  }

  it("is the end of the lease when a job is claimed after sweeps, and the due time when it is put back", async () => {
    const id = await stored();
    await sweptFourTimes(id);
    const running = await claim(id);
    expect(await item(id)).toMatchObject({ sweepAt: Date.now() + leaseMs });
    await Job.putBack(running, { payload: {}, delaySeconds: 1_800, attempts: 0 });
    expect(await item(id)).toMatchObject({ dueAt: Date.now() + 1_800_000, sweepAt: Date.now() + 1_800_000 });
    await sweptFourTimes(id);
    await Job.putBack(await claim(id), { payload: {}, delaySeconds: 2, attempts: 1 });
    expect(await item(id)).toMatchObject({ dueAt: Date.now() + 2_000, sweepAt: Date.now() + 2_000 });
  });

  it("does not change when a job is claimed that was not swept", async () => {
    const id = await stored();
    const { sweepAt } = (await item(id)) ?? {};
    advance(1_000);
    await claim(id);
    expect(await item(id)).toMatchObject({ sweepAt });
  });
});

describe("finish", () => {
  it.each([
    ["done", 7, {}],
    ["failed", 90, { due: failedPartition({ workspace }), dueAt: expect.any(Number) }],
  ] as const)("keeps a %s job for %i days, and hides it from the sweeper", async (state, days, listed) => {
    const id = await stored();
    await Job.finish(await claim(id), state);
    expect(await item(id)).toMatchObject({ state, ttl: Math.floor(Date.now() / 1_000) + days * 86_400, ...listed });
    if (state === "done") expect(await item(id)).not.toHaveProperty("due");
    advance(1);
    const due = await Array.fromAsync(toSweep(duePartition({ id, workspace }), Date.now()));
    expect(due.flat().filter((job) => job.id === id)).toEqual([]);
  });

  it("keeps the failed job of a deletion, since its mark waits for it", async () => {
    const job = { ...newJob("purge", workspace, {}), shownAs: "folder-deletion" } as const;
    await commit([], { jobs: [job] });
    await Job.finish(await claim(job.id), "failed");
    expect(await item(job.id)).toMatchObject({ state: "failed" });
    expect(await item(job.id)).not.toHaveProperty("ttl");
  });
});

describe("retry", () => {
  it("makes a failed job wait again, with no attempts", async () => {
    const id = await stored();
    await Job.finish(await claim(id), "failed");
    expect(await Promise.all([Job.retry({ id, workspace }, 5), Job.retry({ id, workspace }, 5)])).toContain(false);
    expect(await item(id)).toMatchObject({
      state: "waiting",
      dueAt: 5,
      attempts: 0,
      sweeps: 0,
      due: duePartition({ id, workspace }),
    });
    expect(await item(id)).not.toHaveProperty("ttl");
    expect(await claim(id)).toMatchObject({ attempts: 1, payload: { step: 0 } });
  });

  it("does not change a waiting, running, done or unknown job", async () => {
    const [waiting, running, ended] = [await stored(), await stored(), await stored()];
    await claim(running);
    await Job.finish(await claim(ended), "done");
    for (const id of [waiting, running, ended, "unknown"]) {
      const before = await item(id);
      expect(await Job.retry({ id, workspace }, 5)).toBe(false);
      expect(await item(id)).toEqual(before);
    }
  });
});

describe("listed", () => {
  it("returns every job that is not done, failed ones included, without payloads", async () => {
    const [waiting, running, ended, failed] = [await stored(), await stored(), await stored(), await stored()];
    await claim(running);
    await Job.finish(await claim(ended), "done");
    await Job.finish(await claim(failed), "failed");
    const all = (await Array.fromAsync(listed())).flat();
    const found = all.filter(({ id }) => [waiting, running, ended, failed].includes(id));
    expect(Object.fromEntries(found.map(({ id, state }) => [id, state]))).toEqual({
      [waiting]: "waiting",
      [running]: "running",
      [failed]: "failed",
    });
    for (const job of found) expect(job).not.toHaveProperty("payload");
  });

  it("reads 17 of the 272 partitions for the jobs of one workspace, and returns no other job", async () => {
    const own = `own-${randomUUID()}`;
    const job = newJob("purge", own, {});
    await commit([], { jobs: [job] });
    await stored();
    const partitions = new Set<unknown>();
    interceptStore(({ input }) => {
      if (input.IndexName) partitions.add(input.ExpressionAttributeValues[":due"]);
    });
    const found = (await Array.fromAsync(listed(own))).flat();
    vi.restoreAllMocks();
    expect(found).toMatchObject([{ id: job.id, workspace: own }]);
    expect(partitions.size).toBe(17);
    expect(partitionsOf()).toHaveLength(272);
  });
});

describe("postpone", () => {
  it("postpones a job once when several sweeps have read it", async () => {
    const id = await stored();
    const seen = (await Job.get(id)) as Job.Running;
    const moves = await Promise.all([1, 2, 3].map((minutes) => Job.postpone(seen, Date.now() + minutes * 60_000)));
    expect(moves.filter(Boolean)).toHaveLength(1);
    expect(await item(id)).toMatchObject({ state: "waiting", sweeps: 1 });
  });
});
