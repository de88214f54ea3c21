import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { callSignal } from "../../../lib/call.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { type QueueWorker, type RunResult, scheduled, worker } from "../../../lib/jobs/worker.ts";
import { scheduleLambda } from "../../../lib/jobs/worker-lambda.ts";
import { type Job as JobItem, jobEntity } from "../../../lib/store/job.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { logs, logText } from "../../support/capture-logs.ts";
import { contextOf } from "../../support/event.ts";
import { claimed } from "../../support/jobs.ts";
import { deliver, receive, storeJob } from "../../support/run-worker.ts";

const sqs = mockClient(SQSClient);

const working = (run: QueueWorker["run"]) =>
  worker({ name: "test", jobs: "purge", summary: "", grants: ["table:read", "table:write"], run });
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
  return () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  };
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
    for (let step = 1; step <= Job.attemptsMax + 2; step++) {
      await deliver(
        working(async () => again(step)),
        [id],
      );
    }
    expect(await deliver(failing, [id])).toEqual([id]);
    expect(await Job.get(id)).toMatchObject({ state: "waiting", payload: { step: Job.attemptsMax + 2 } });
  });
});

it("keeps the failed attempts of a job when a run between them did nothing", async () => {
  const id = await store();
  const idle = working(async () => ({ again: { payload: { step: 0 }, delaySeconds: 0, isStep: false } }));
  for (let attempt = 1; attempt < Job.attemptsMax; attempt++) {
    expect(await deliver(failing, [id])).toEqual([id]);
    advance(600);
    expect(await deliver(idle, [id])).toEqual([]);
    expect(await Job.get(id)).toMatchObject({ state: "waiting", attempts: attempt });
  }
  await deliver(failing, [id]);
  expect(await Job.get(id)).toMatchObject({ state: "failed" });
});

/** The last message, if it is for this job. */
const sentFor = (id: string) => {
  const last = sqs.commandCalls(SendMessageBatchCommand).at(-1)?.args[0].input.Entries?.[0];
  return last?.MessageBody === id ? last : undefined;
};

describe("a job that throws", () => {
  it("runs again after 2, 4, 8 and more seconds by messages of its own, and is failed after ten attempts", async () => {
    const id = await store();
    const delays: (number | undefined)[] = [];
    for (let attempt = 1; attempt < Job.attemptsMax; attempt++) {
      expect(await receive(failing, [id])).toEqual([]);
      expect(await Job.get(id)).toMatchObject({ state: "waiting", attempts: attempt, payload: { step: 0 } });
      const delay = sentFor(id)?.DelaySeconds;
      delays.push(delay);
      advance(delay ?? 0);
    }
    expect(delays).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512]);
    sqs.resetHistory();
    expect(await receive(failing, [id])).toEqual([]);
    expect(await Job.get(id)).toMatchObject({ state: "failed" });
    expect(sqs.calls()).toEqual([]);
    const line = { level: "error", message: "job failed", job: id, outcome: "failed", cause: { name: "Error" } };
    expect(logs().at(-1)).toMatchObject(line);
  });

  it("stores when it is due before it sends the message", async () => {
    const id = await store();
    const stored: unknown[] = [];
    sqs.on(SendMessageBatchCommand).callsFake(async () => {
      stored.push((await Job.get(id))?.state);
      return {};
    });
    await deliver(failing, [id]);
    expect(stored).toEqual(["waiting"]);
  });

  it("is not run before it is due: an early message is sent again with the delay that is left", async () => {
    const id = await store();
    await deliver(failing, [id]);
    const run = vi.fn(async () => "done" as const);
    sqs.resetHistory();
    advance(1);
    expect(await receive(working(run), [id])).toEqual([]);
    expect(run).not.toHaveBeenCalled();
    expect(sentFor(id)).toMatchObject({ DelaySeconds: 1 });
    advance(1);
    await deliver(working(run), [id]);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("is failed after its last attempt also when it was woken meanwhile", async () => {
    const id = await store();
    const woken = working(async () => {
      await commit([jobEntity.update({ jobId: id }, { set: { woken: true } })]);
      throw new Error("broken");
    });
    for (let attempt = 1; attempt <= Job.attemptsMax; attempt++) {
      await deliver(woken, [id]);
      advance(2 ** attempt);
    }
    expect(await Job.get(id)).toMatchObject({ state: "failed" });
  });

  it("writes nothing after its failure, so that it does not write beside its next run", async () => {
    const id = await store();
    const { promise: isRecorded, resolve } = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    const leaving = working(async () => {
      late = isRecorded.then(() => commit([{ put: { pk: "late", sk: id } }]));
      throw new Error("broken");
    });
    await deliver(leaving, [id]);
    resolve();
    await expect(late).rejects.toThrow("broken");
    expect(await Table.get({ pk: "late", sk: id })).toBeUndefined();
  });

  it("waits for its lease to end when the failure cannot be recorded, and its message stays", async () => {
    const id = await store();
    const unrecordable = working(async () => {
      throw new Error("broken");
    });
    atAwsEdge(async (command, call) => {
      if (JSON.stringify(command.input).includes("waiting")) throw new Error("no table");
      return call();
    });
    expect(await receive(unrecordable, [id])).toEqual([id]);
    expect(logs().at(-1)).toMatchObject({ level: "error", outcome: "unrecorded" });
  });

  it("does not affect the other jobs of its batch", async () => {
    const [good, bad] = [await store(), await store()];
    const mixed = working(async ({ id }: JobItem) => (id === bad ? Promise.reject(new Error("bad")) : "done"));
    expect(await deliver(mixed, [good, bad])).toEqual([bad]);
    expect(await Job.get(good)).toMatchObject({ state: "done" });
  });
});

describe("a job whose worker dies", () => {
  it("is failed and logged by the claim that follows its tenth attempt", async () => {
    const id = await store();
    for (let attempt = 1; attempt <= Job.attemptsMax; attempt++) {
      expect(await claimed(id, 75_000)).toMatchObject({ attempts: attempt });
      advance(75);
    }
    const run = vi.fn(async () => "done" as const);
    expect(await receive(working(run), [id])).toEqual([]);
    expect(run).not.toHaveBeenCalled();
    expect(await Job.get(id)).toMatchObject({ state: "failed", attempts: Job.attemptsMax });
    expect(logs()).toEqual([expect.objectContaining({ level: "error", message: "job failed", job: id })]);
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
      // A write is recognised by its time. With the same time, the late write would look like a repeat of the other.
      advance(1);
      sqs.resetHistory();
      return again(1);
    });
    await deliver(late, [id]);
    expect(await Job.get(id)).toMatchObject({ state: "waiting", payload: { step: 7 } });
    expect(sqs.calls()).toEqual([]);
  });
});

describe("the end of a run", () => {
  /** A worker whose time is over before its run ends. */
  function late(run: () => Promise<RunResult>): QueueWorker {
    const time = new AbortController();
    vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(time.signal);
    return working(async () => {
      time.abort(new Error("late"));
      return run();
    });
  }
  const failed = async () => callSignal()?.throwIfAborted() as never;

  it.each([
    ["that has succeeded", async () => again(1), { state: "waiting", payload: { step: 1 }, attempts: 0 }],
    ["that throws", failed, { state: "waiting", payload: { step: 0 }, attempts: 1 }],
  ])("is recorded after the time of a run %s is over", async (_, run, expected) => {
    const id = await store();
    expect(await receive(late(run), [id])).toEqual([]);
    expect(await Job.get(id)).toMatchObject(expected);
  });

  it("fails a job whose tenth run exceeds its time", async () => {
    const id = await store();
    await commit([jobEntity.update({ jobId: id }, { set: { attempts: Job.attemptsMax - 1 } })]);
    await deliver(late(failed), [id]);
    expect(await Job.get(id)).toMatchObject({ state: "failed" });
  });

  it("leaves 5 seconds of Lambda's time to store the result", async () => {
    const now = Date.now();
    const run = vi.fn(async (_job: JobItem, _until: number) => "done" as const);
    await deliver(working(run), [await store()], 40_000);
    expect(run.mock.calls[0]?.[1]).toBe(now + 35_000);
  });
});

it("a scheduled run that begins late gets its time in the schedule", async () => {
  const run = vi.fn(async () => {});
  const handler = scheduleLambda(scheduled({ name: "test", summary: "", grants: [], everyMinutes: 1, run }));
  const now = Date.now();
  await handler({ time: new Date(now - 59_000).toISOString() }, contextOf("test", 60_000) as never);
  await handler({}, contextOf("test", 60_000) as never);
  expect(run.mock.calls).toEqual([
    [now + 55_000, now - 59_000],
    [now + 55_000, now],
  ]);
});
