import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sweep } from "../../../lib/jobs/sweep.ts";
import { duePartitions } from "../../../lib/store/job.ts";
import { storeJob } from "../../support/run-worker.ts";

const sqs = mockClient(SQSClient);
const graceMs = 120_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.stubEnv("SWEEP_GRACE_SECONDS", String(graceMs / 1_000));
  sqs.on(SendMessageBatchCommand).resolves({});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

it("sends a job once when several sweepers run concurrently", async () => {
  const ids = await Promise.all([1, 2, 3].map(() => storeJob("purge", "sweeper-test", { partitions: [] })));
  vi.setSystemTime(Date.now() + graceMs + 1);
  sqs.resetHistory();
  await Promise.all([1, 2, 3].map(() => sweep(duePartitions, Date.now() + 60_000)));
  const entries = sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries ?? []);
  const counts = ids.map((id) => entries.filter(({ MessageBody }) => MessageBody === id).length);
  expect(counts).toEqual([1, 1, 1]);
});
