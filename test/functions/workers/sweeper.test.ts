import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sweeper } from "../../../functions/workers/sweeper.ts";
import { inParallel } from "../../../lib/concurrency.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { partitionsAt, sweep } from "../../../lib/jobs/sweep.ts";
import { duePartition, duePartitions } from "../../../lib/store/job.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { logs } from "../../support/capture-logs.ts";
import { inContainer } from "../../support/exact/containers.ts";
import { claimed } from "../../support/jobs.ts";
import { storeJob } from "../../support/run-worker.ts";

const sqs = mockClient(SQSClient);
const graceMs = 120_000;

const store = (delaySeconds = 0) => storeJob("purge", "sweeper-test", { partitions: [] }, delaySeconds);
/** More at once would open more connections than a busy machine makes in the client's time limit. */
const storesInFlight = 8;
const storeMany = (count: number) => inParallel(Array.from({ length: count }), storesInFlight, () => store());

interface QueryInput {
  IndexName: string;
  ExpressionAttributeValues: Record<string, unknown>;
}

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Sweeps all partitions. Returns how often each of the jobs was sent: the table also has jobs of other tests. */
async function sentOf(...ids: string[]): Promise<number[]> {
  sqs.resetHistory();
  await inContainer(sweeper, () => sweep(duePartitions, Date.now() + 60_000));
  const sent = sentIds();
  return ids.map((id) => sent.filter((each) => each === id).length);
}

const sentIds = () =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries?.map(({ MessageBody }) => MessageBody) ?? []);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubEnv("SWEEP_GRACE_SECONDS", String(graceMs / 1_000));
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe("OK", () => {
  it("sends a job when it is overdue by the grace period, and not before", async () => {
    const id = await store();
    expect(await sentOf(id)).toEqual([0]);
    later(graceMs - 1);
    expect(await sentOf(id)).toEqual([0]);
    later(2);
    expect(await sentOf(id)).toEqual([1]);
  });

  it("sends a job that waited longer than SQS can delay a message: it had no message until then", async () => {
    sqs.resetHistory();
    const id = await store(3_600);
    expect(sqs.calls()).toEqual([]);
    later(3_600_000 + graceMs - 1);
    expect(await sentOf(id)).toEqual([0]);
    later(2);
    expect(await sentOf(id)).toEqual([1]);
  });

  it("sends an overdue job again after 10 minutes, then 20, then 40", async () => {
    const id = await store();
    later(graceMs + 1);
    for (const minutes of [10, 20, 40]) {
      expect(await sentOf(id)).toEqual([1]);
      later(minutes * 60_000 + graceMs - 1);
      expect(await sentOf(id)).toEqual([0]);
      later(2);
    }
    expect(await sentOf(id)).toEqual([1]);
    expect(sqs.commandCalls(SendMessageBatchCommand)[0]?.args[0].input.Entries?.[0]?.DelaySeconds).toBe(0);
  });

  it("makes the job of a dead worker claimable, and ends the old lease", async () => {
    const id = await store();
    const dead = await claimed(id, 75_000);
    later(75_000 + graceMs + 1);
    expect(await sentOf(id)).toEqual([1]);
    const next = await claimed(id, 75_000);
    expect(next).toMatchObject({ state: "running", attempts: 2 });
    expect(await Job.finish(dead, "done")).toBe(false);
    expect(await Job.finish(next, "done")).toBe(true);
  });

  it("sends no job that is done or failed, or runs under a lease", async () => {
    const ids = [await store(), await store(), await store()];
    const [one, two] = (await Promise.all(ids.map((id) => claimed(id, 3_600_000)))) as [Job.Running, Job.Running];
    await Job.finish(one, "done");
    await Job.finish(two, "failed");
    later(graceMs + 1);
    expect(await sentOf(...ids)).toEqual([0, 0, 0]);
  });

  it("sends the other overdue jobs when one cannot be postponed", async () => {
    const ids = [await store(), await store(), await store()];
    later(graceMs + 1);
    atAwsEdge(async ({ constructor: { name }, input }, call) => {
      if (name === "UpdateCommand" && JSON.stringify(input).includes(ids[1] as string)) throw new Error("broken");
      return call();
    });
    const entries: unknown[] = [];
    sqs.on(SendMessageBatchCommand).callsFake(async ({ Entries }) => {
      entries.push(...Entries);
      return {};
    });
    await sweep(duePartitions, Date.now() + 60_000);
    vi.restoreAllMocks();
    const sent = ids.map((id) => entries.filter((each) => (each as { MessageBody: string }).MessageBody === id).length);
    expect(sent).toEqual([1, 0, 1]);
    expect(logs()).toContainEqual(expect.objectContaining({ level: "error", job: ids[1] }));
  });

  it("leaves a job as it was when its message is not sent, and sends it in the next sweep", async () => {
    const unsent = await Promise.all([store(), store(), store()]);
    const sent = await Promise.all([1, 2, 3].map(() => storeJob("notify", "sweeper-test", {})));
    later(graceMs + 1);
    const before = await Promise.all(unsent.map(Job.get));
    sqs.on(SendMessageBatchCommand, { QueueUrl: process.env.QUEUE_URL_PURGE as string }).rejects(new Error("no queue"));
    expect((await sentOf(...sent)).every((count) => count === 1)).toBe(true);
    expect(await Promise.all(unsent.map(Job.get))).toEqual(before);
    sqs.on(SendMessageBatchCommand).resolves({});
    expect(await sentOf(...unsent, ...sent)).toEqual([1, 1, 1, 0, 0, 0]);
  });

  it("sends the overdue jobs of other partitions when one cannot be read, and fails", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => store()));
    const broken = duePartition({ id: ids[0] as string, workspace: "sweeper-test" });
    later(graceMs + 1);
    interceptStore(({ input }) => {
      if (input.ExpressionAttributeValues?.[":due"] === broken) throw new Error("broken");
    });
    sqs.resetHistory();
    await expect(sweep(duePartitions, Date.now() + 60_000)).rejects.toThrow("broken");
    vi.restoreAllMocks();
    const others = ids.filter((id) => duePartition({ id, workspace: "sweeper-test" }) !== broken);
    expect(others.filter((id) => !sentIds().includes(id))).toEqual([]);
    expect(logs()).toContainEqual(expect.objectContaining({ level: "error", due: broken }));
  });

  it("sends a page of each partition before the second page of any", async () => {
    // Its partitions have no jobs of other tests.
    const workspace = "sweeper-pages";
    const placed = new Map<string, string[]>();
    while (placed.size < 9 || [...placed.values()].slice(0, 9).some(({ length }) => length < 3)) {
      const id = await storeJob("purge", workspace, {});
      const due = duePartition({ id, workspace });
      placed.set(due, [...(placed.get(due) ?? []), id]);
    }
    const partitions = [...placed.keys()].slice(0, 9);
    later(graceMs + 1);
    interceptStore(({ input }) => {
      if (input.IndexName) input.Limit = 1;
    });
    sqs.resetHistory();
    await sweep(partitions, Date.now() + 60_000);
    vi.restoreAllMocks();
    const first = sentIds().slice(0, 9) as string[];
    const swept = first.map((id) => duePartition({ id, workspace }));
    expect(swept.toSorted()).toEqual(partitions.toSorted());
  });

  it("reads no payload", async () => {
    const id = await store();
    later(graceMs + 1);
    const reads: { ProjectionExpression?: string; ExpressionAttributeNames?: Record<string, string> }[] = [];
    interceptStore(({ constructor: { name }, input }) => {
      if (name === "BatchGetCommand") reads.push(...(Object.values(input.RequestItems) as typeof reads));
    });
    expect(await sentOf(id)).toEqual([1]);
    vi.restoreAllMocks();
    expect(reads.length).toBeGreaterThan(0);
    for (const { ProjectionExpression, ExpressionAttributeNames = {} } of reads) {
      expect(ProjectionExpression).toBeDefined();
      expect(Object.values(ExpressionAttributeNames)).not.toContain("payload");
    }
  });

  it("looks at a waiting job once before it is due, and sends it when it is overdue", async () => {
    const id = await store();
    await Job.putBack(await claimed(id), { payload: {}, delaySeconds: 119, attempts: 0 });
    later(graceMs - 1_000);
    expect(await sentOf(id)).toEqual([0]);
    later(2_000);
    const reads: unknown[] = [];
    const look = async () => {
      reads.length = 0;
      interceptStore(({ input }) => {
        reads.push(...(input.RequestItems?.[process.env.TABLE_NAME ?? ""]?.Keys ?? [input.Key]));
      });
      const sent = await sentOf(id);
      vi.restoreAllMocks();
      return [sent, reads.some((key) => (key as { pk?: string } | undefined)?.pk === `JOB#${id}`)];
    };
    expect(await look()).toEqual([[0], true]);
    expect(await look()).toEqual([[0], false]);
    later(117_999);
    expect(await look()).toEqual([[0], false]);
    later(2);
    expect(await look()).toEqual([[1], true]);
  });

  it("sends all overdue jobs when they fill more than a page", async () => {
    const ids = await storeMany(300);
    later(graceMs + 1);
    expect(new Set(await sentOf(...ids))).toEqual(new Set([1]));
  });

  it("sends all overdue jobs when DynamoDB ends its pages early", async () => {
    const ids = await storeMany(64);
    later(graceMs + 1);
    interceptStore(({ input }) => {
      if (input.IndexName) input.Limit = 2;
    });
    expect(new Set(await sentOf(...ids))).toEqual(new Set([1]));
    vi.restoreAllMocks();
  });
});

describe("AWS calls", () => {
  it("makes one query for each partition when nothing is overdue, in two runs", async () => {
    const aws = mockAws();
    const counts: number[] = [];
    for (let run = 0; run < 2; run++) {
      await sweeper.run(Date.now() + 60_000, Date.now());
      counts.push(aws.calls().length);
      later(60_000);
    }
    const inputs = aws.dynamo.calls().map(({ args }) => args[0].input as QueryInput);
    aws.restore();
    expect(counts).toEqual([128, 256]);
    expect(new Set(inputs.map(({ IndexName }) => IndexName))).toEqual(new Set(["sweep"]));
    expect(new Set(inputs.map((input) => input.ExpressionAttributeValues[":due"]))).toEqual(new Set(duePartitions));
  });
});

it("each run begins with another group of workspaces than the last one that read the same partitions", () => {
  const run = 60_000;
  const groups = Array.from({ length: 8 }, (_, index) => partitionsAt(2 * index * run)[0]?.split(".")[0]);
  expect(new Set(groups).size).toBe(8);
  expect(partitionsAt(0).toSorted()).toEqual(partitionsAt(2 * run).toSorted());
  const first = partitionsAt(0)
    .slice(0, 8)
    .map((due) => due.split(".")[0]);
  expect(new Set(first).size).toBe(8);
});
