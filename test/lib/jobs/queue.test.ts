import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Queue } from "../../../infra/local/queue.ts";
import { inCall, newCall } from "../../../lib/call.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { jobKinds } from "../../../lib/grants.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { sendPointers } from "../../../lib/jobs/queue.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { newJob } from "../../../lib/store/job.ts";
import { logs, logText } from "../../support/capture-logs.ts";

const sqs = mockClient(SQSClient);
const purge = (delaySeconds = 0) => newJob("purge", "w", { secret: "payload" }, delaySeconds);
const entries = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries ?? []);

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  vi.useFakeTimers({ toFake: ["Date"] });
  return () => vi.useRealTimers();
});

describe("commit", () => {
  it("stores a job with its change, then sends only its id to the queue", async () => {
    const key = { pk: "jobs-test", sk: "one" };
    const job = purge();
    let wasStored = false;
    sqs.on(SendMessageBatchCommand).callsFake(async () => {
      wasStored = (await Job.get(job.id)) !== undefined && (await Table.get(key)) !== undefined;
      return {};
    });
    await commit([{ put: key }], { jobs: [job] });
    expect(wasStored).toBe(true);
    expect(entries()).toEqual([[{ Id: "0", MessageBody: job.id, MessageGroupId: "w", DelaySeconds: 0 }]]);
  });

  it("stores and sends no job when the condition of the change fails", async () => {
    const key = { pk: "jobs-test", sk: "two" };
    await commit([{ put: key }]);
    const job = purge();
    expect(await commit([{ put: key, if: "absent" }], { jobs: [job] })).toBe(false);
    expect(await Job.get(job.id)).toBeUndefined();
    expect(entries()).toEqual([]);
  });

  it.each([
    ["a send that fails", () => sqs.on(SendMessageBatchCommand).rejects(new Error("no queue"))],
    ["an entry that fails", () => sqs.on(SendMessageBatchCommand).resolves({ Failed: [{ Id: "0" } as never] })],
  ])("succeeds and logs %s, since the job is stored", async (_, arrange) => {
    arrange();
    const job = purge();
    expect(await commit([], { jobs: [job] })).toBe(true);
    expect(await Job.get(job.id)).toMatchObject({ state: "waiting" });
    expect(logs()).toEqual([expect.objectContaining({ level: "warn", count: 1 })]);
    expect(logText()).not.toContain("payload");
  });
});

it("sends again what failed at first, and nothing else", async () => {
  sqs
    .on(SendMessageBatchCommand)
    .resolvesOnce({ Failed: [{ Id: "1" } as never] })
    .resolves({});
  const jobs = [purge(), purge(), purge()];
  expect(await sendPointers(jobs)).toBe(true);
  const sent = entries().map((batch) => batch.map(({ MessageBody }) => MessageBody));
  expect(sent).toEqual([jobs.map(({ id }) => id), [jobs[1]?.id]]);
  expect(logs()).toEqual([]);
});

it("a queue that hangs delays a call by one second at most, and the call succeeds", async () => {
  vi.stubEnv("SLOWNESS", "1");
  const call = newCall("r");
  const signals: AbortSignal[] = [];
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort(new Error("too late")));
  sqs.on(SendMessageBatchCommand).callsFake(async (_, client) => {
    const args: unknown[] = sqs.commandCalls(SendMessageBatchCommand).at(-1)?.args ?? [];
    const { abortSignal } = args[1] as { abortSignal: AbortSignal };
    signals.push(abortSignal);
    abortSignal.throwIfAborted();
    return client;
  });
  await inCall(call, async () => {
    expect(await commit([], { jobs: [purge()] })).toBe(true);
    expect(await commit([], { jobs: [purge()] })).toBe(true);
  });
  // Only the messages of the first change are sent, in two tries.
  expect(timeout.mock.calls).toEqual([[500], [500]]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(logs()).toMatchObject([{ level: "warn" }, { level: "warn" }]);
  timeout.mockRestore();
  vi.unstubAllEnvs();
});

it("a queue that hangs keeps no message from the other queues of the call", async () => {
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort(new Error("too late")));
  sqs.on(SendMessageBatchCommand, { QueueUrl: process.env.QUEUE_URL_PURGE as string }).rejects(new Error("too late"));
  await inCall(newCall("r"), async () => {
    expect(await sendPointers([purge()])).toBe(false);
    expect(await sendPointers([newJob("notify", "w", {})])).toBe(true);
  });
  vi.restoreAllMocks();
});

describe("sendPointers", () => {
  it("sends each job once, ten per request", async () => {
    const jobs = Array.from({ length: 25 }, () => purge());
    await sendPointers(jobs);
    expect(entries().map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(
      entries()
        .flat()
        .map(({ MessageBody }) => MessageBody),
    ).toEqual(jobs.map(({ id }) => id));
  });

  it.each(jobKinds)(
    "puts the %s jobs of a workspace into one group, so the queue can prefer quiet workspaces",
    async (kind) => {
      vi.stubEnv(`QUEUE_URL_${kind.toUpperCase()}`, "http://queue");
      const queue = new Queue(kind);
      await sendPointers([1, 2, 3, 4, 5].map(() => newJob(kind, "busy", {})));
      await sendPointers([newJob(kind, "quiet", {})]);
      vi.unstubAllEnvs();
      for (const { MessageBody = "", MessageGroupId } of entries().flat())
        queue.send({ body: MessageBody, group: MessageGroupId });
      expect(queue.receive(6, 1_000).map(({ group }) => group)).toEqual([
        ...["busy", "quiet"],
        ...["busy", "busy", "busy", "busy"],
      ]);
    },
  );

  it("delays a message until its job is due, by whole seconds", async () => {
    await sendPointers([purge(-5), purge(0.2), purge(60), purge(900)]);
    expect(
      entries()
        .flat()
        .map(({ DelaySeconds }) => DelaySeconds),
    ).toEqual([0, 1, 60, 900]);
  });

  it("leaves a job that is due in more than 15 minutes to the sweeper", async () => {
    expect(await sendPointers([purge(900.001), purge(7_200)])).toBe(true);
    expect(entries()).toEqual([]);
    expect(logs()).toEqual([]);
  });

  it("sends no message for a kind of job whose queue is not configured", async () => {
    vi.stubEnv("QUEUE_URL_FANOUT", "");
    await sendPointers([newJob("fanout", "w", {})]);
    vi.unstubAllEnvs();
    expect(entries()).toEqual([]);
  });
});
