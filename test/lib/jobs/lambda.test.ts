import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Job as JobItem } from "../../../lib/jobs/job.ts";
import { attemptsMax } from "../../../lib/jobs/lambda.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { type QueueWorker, worker } from "../../../lib/jobs/worker.ts";
import { logs, logText } from "../../support/capture-logs.ts";
import { deliver, storeJob } from "../../support/run-worker.ts";

const sqs = mockClient(SQSClient);

const working = (run: QueueWorker["run"]) => worker({ name: "test", jobs: "purge", summary: "", grants: [], run });
const store = () => storeJob("purge", "w", { step: 0, secret: "payload" });
/** Moves the clock forward. */
const advance = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);
const failing = working(async () => {
  throw new Error("broken");
});
const again = (step: number, delaySeconds = 0) => ({ again: { payload: { step }, delaySeconds } });

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  vi.useFakeTimers({ toFake: ["Date"] });
  return () => vi.useRealTimers();
});

describe("a job that has ended", () => {
  it("is stored as done, logged with its cost, and not run again by a repeated message", async () => {
    const run = vi.fn(async () => "done" as const);
    const id = await store();
    expect(await deliver(working(run), [id])).toEqual([]);
    expect(await deliver(working(run), [id])).toEqual([]);
    expect(run).toHaveBeenCalledTimes(1);
    expect(await Job.get(id)).toMatchObject({ state: "done" });
    const line = { level: "info", worker: "test", job: id, workspace: "w", attempt: 1, outcome: "done" };
    expect(logs()).toContainEqual(expect.objectContaining({ ...line, roundTrips: expect.any(Number) }));
    expect(logText()).not.toContain("payload");
  });

  it("has its message removed from the queue even if the job's item no longer exists", async () => {
    expect(await deliver(failing, ["unknown"])).toEqual([]);
  });
});

describe("a job with another step", () => {
  it("stores its progress, and sends its message with the delay", async () => {
    const id = await store();
    await deliver(
      working(async () => again(1, 60)),
      [id],
    );
    expect(await Job.get(id)).toMatchObject({ state: "waiting", payload: { step: 1 }, dueAt: Date.now() + 60_000 });
    const sent = sqs.commandCalls(SendMessageBatchCommand).at(-1)?.args[0].input.Entries;
    expect(sent).toEqual([expect.objectContaining({ MessageBody: id, DelaySeconds: 60 })]);
  });

  it("can have any number of steps, since only consecutive failures count as attempts", async () => {
    const id = await store();
    for (let step = 1; step <= attemptsMax + 2; step++) {
      await deliver(
        working(async () => again(step)),
        [id],
      );
    }
    expect(await deliver(failing, [id])).toEqual([id]);
    expect(await Job.get(id)).toMatchObject({ state: "waiting", payload: { step: attemptsMax + 2 } });
  });
});

describe("a job that throws", () => {
  it("runs again with its payload unchanged, and fails after ten attempts", async () => {
    const id = await store();
    for (let attempt = 1; attempt < attemptsMax; attempt++) {
      expect(await deliver(failing, [id])).toEqual([id]);
      expect(await Job.get(id)).toMatchObject({ state: "waiting", attempts: attempt, payload: { step: 0 } });
    }
    expect(await deliver(failing, [id])).toEqual([id]);
    expect(await Job.get(id)).toMatchObject({ state: "failed" });
    expect(logs().at(-1)).toMatchObject({ level: "error", outcome: "failed", cause: { name: "Error" } });
  });

  it("does not affect the other jobs of its batch", async () => {
    const [good, bad] = [await store(), await store()];
    const mixed = working(async ({ id }: JobItem) => (id === bad ? Promise.reject(new Error("bad")) : "done"));
    expect(await deliver(mixed, [good, bad])).toEqual([bad]);
    expect(await Job.get(good)).toMatchObject({ state: "done" });
  });
});

describe("a lease", () => {
  it("prevents a second run while the first one runs", async () => {
    const id = await store();
    const runs = vi.fn();
    const slow = working(async () => {
      runs();
      await deliver(slow, [id]);
      return "done";
    });
    await deliver(slow, [id]);
    expect(runs).toHaveBeenCalledTimes(1);
  });

  it("ends 15 seconds after the function's timeout", async () => {
    const id = await store();
    const startedAt = Date.now();
    const seen = vi.fn();
    await deliver(
      working(async ({ dueAt }) => {
        seen(dueAt - startedAt);
        return "done";
      }),
      [id],
    );
    expect(seen).toHaveBeenCalledWith(75_000);
  });

  it("that has ended does not let its worker change the job or send a message", async () => {
    const id = await store();
    const late = working(async () => {
      advance(75);
      await deliver(
        working(async () => again(7)),
        [id],
      );
      sqs.resetHistory();
      return again(1);
    });
    await deliver(late, [id]);
    expect(await Job.get(id)).toMatchObject({ state: "waiting", payload: { step: 7 } });
    expect(sqs.calls()).toEqual([]);
  });
});

describe("the end of a run", () => {
  it("leaves 5 seconds of Lambda's time to store the result", async () => {
    const now = Date.now();
    const run = vi.fn(async (_job: JobItem, _until: number) => "done" as const);
    await deliver(working(run), [await store()], 40_000);
    expect(run.mock.calls[0]?.[1]).toBe(now + 35_000);
  });
});
