import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { deliver } from "../../../infra/local/event-source.ts";
import { Queue } from "../../../infra/local/queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Event {
  Records: { messageId: string; body: string; attributes: Record<string, string> }[];
}

/** Delivers messages to `handle`. Returns the bodies of each invocation, and the errors. */
function delivered(
  queue: Queue,
  handle: (event: Event) => Promise<unknown> = async () => ({ batchItemFailures: [] }),
  batchSize = 10,
) {
  const batches: string[][] = [];
  const errors: unknown[] = [];
  const invoke = async (event: unknown) => {
    batches.push((event as Event).Records.map(({ body }) => body));
    return handle(event as Event);
  };
  const source = deliver({ queue, invoke, timeoutSeconds: 60, batchSize, onError: (thrown) => errors.push(thrown) });
  onTestFinished(() => source.stop());
  return { batches, errors };
}

test("messages are delivered in batches of up to ten, as Lambda's SQS event", async () => {
  const queue = new Queue("purge");
  for (let index = 0; index < 12; index++) queue.send({ body: String(index), group: "w" });
  const events: Event[] = [];
  const { batches } = delivered(queue, async (event) => void events.push(event));
  await vi.advanceTimersByTimeAsync(1);
  expect(batches.map(({ length }) => length)).toEqual([10, 2]);
  expect(events[0]?.Records[0]).toMatchObject({
    messageId: expect.any(String),
    body: "0",
    attributes: { ApproximateReceiveCount: "1", MessageGroupId: "w" },
    messageAttributes: {},
    eventSource: "aws:sqs",
  });
  expect(queue.nextVisibleAt()).toBeUndefined();
});

test("a batch has at most as many messages as the function's batch size", async () => {
  const queue = new Queue("ingest");
  for (const body of ["a", "b", "c"]) queue.send({ body });
  const { batches } = delivered(queue, undefined, 1);
  await vi.advanceTimersByTimeAsync(1);
  expect(batches).toEqual([["a"], ["b"], ["c"]]);
});

test("only failed messages are delivered again, after the visibility timeout, and are dead letters after ten receives", async () => {
  const queue = new Queue("purge");
  queue.send({ body: "good" });
  const bad = queue.send({ body: "bad" });
  const { batches } = delivered(queue, async () => ({ batchItemFailures: [{ itemIdentifier: bad.id }] }));
  await vi.advanceTimersByTimeAsync(359_000);
  expect(batches).toEqual([["good", "bad"]]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(batches).toEqual([["good", "bad"], ["bad"]]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(batches).toHaveLength(10);
  expect(queue.nextVisibleAt()).toBeUndefined();
  expect(queue.deadLetters?.receive(10, 0)).toMatchObject([{ id: bad.id, body: "bad", receiveCount: 11 }]);
});

test("a function that throws is logged, and its whole batch is delivered again", async () => {
  const queue = new Queue("purge");
  queue.send({ body: "a" });
  let calls = 0;
  const { batches, errors } = delivered(queue, async () => {
    if (++calls === 1) throw new Error("down");
  });
  await vi.advanceTimersByTimeAsync(361_000);
  expect(batches).toEqual([["a"], ["a"]]);
  expect(errors).toHaveLength(1);
});

test("a delayed message is delivered after its delay", async () => {
  const queue = new Queue("purge");
  const { batches } = delivered(queue);
  queue.send({ body: "later", delayMs: 900_000 });
  await vi.advanceTimersByTimeAsync(899_000);
  expect(batches).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(batches).toEqual([["later"]]);
});

test("a group with fewer messages in work comes first", () => {
  const queue = new Queue("purge");
  for (let index = 0; index < 100; index++) queue.send({ body: "flood", group: "loud" });
  queue.send({ body: "quiet", group: "quiet" });
  expect(queue.receive(1, 60_000).map(({ body }) => body)).toEqual(["flood"]);
  expect(queue.receive(1, 60_000).map(({ body }) => body)).toEqual(["quiet"]);
});
