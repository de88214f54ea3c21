import { beforeEach, describe, expect, it } from "vitest";
import { loopsMax, traceOfInvocation } from "./chain.ts";
import { Queues } from "./queues.ts";

let now: number;
let queues: Queues;
const send = (more: object = {}) =>
  queues.respond(
    "SendMessage",
    { QueueUrl: "http://sqs/0/purge", MessageBody: "job", MessageGroupId: "w", ...more },
    "",
  );

beforeEach(() => {
  now = 0;
  queues = new Queues([{ kind: "purge", visibilitySeconds: 360, receivesMax: 2 }], () => now);
});

describe("a message", () => {
  it("is visible after its delay, which is at most 15 minutes", () => {
    send({ DelaySeconds: 900 });
    now = 899_999;
    expect(queues.receive("purge", "w", 10)).toEqual([]);
    now = 900_000;
    expect(queues.receive("purge", "w", 10)).toHaveLength(1);
    expect(() => send({ DelaySeconds: 901 })).toThrow("DelaySeconds");
  });

  it("is hidden for the visibility timeout once received, and received again if it is not removed", () => {
    send();
    expect(queues.receive("purge", "w", 10)).toMatchObject([{ receives: 1 }]);
    now = 359_999;
    expect(queues.receive("purge", "w", 10)).toEqual([]);
    now = 360_000;
    const [again] = queues.receive("purge", "w", 10);
    expect(again).toMatchObject({ receives: 2 });
    if (again) queues.remove(again);
    now = 720_000;
    expect(queues.receive("purge", "w", 10)).toEqual([]);
    expect(queues.deadLetters).toEqual([]);
  });

  it("is a dead letter when it was received as often as the redrive policy allows", () => {
    send();
    for (const time of [0, 360_000, 720_000]) {
      now = time;
      queues.receive("purge", "w", 10);
    }
    expect(queues.deadLetters).toMatchObject([{ body: "job", receives: 2 }]);
    expect(queues.next("w")).toBeUndefined();
  });
});

it("a queue that does not exist refuses messages", () => {
  expect(() => send({ QueueUrl: "http://sqs/0/other" })).toThrow("does not exist");
});

describe("a chain of invocations", () => {
  it("counts each function of its own in the trace header that the SDK passes on", () => {
    const first = traceOfInvocation("fanout", "");
    const second = traceOfInvocation("drain", first.trace);
    const third = traceOfInvocation("drain", second.trace);
    expect([first.loops, second.loops, third.loops]).toEqual([1, 1, 2]);
    expect(traceOfInvocation("fanout", third.trace).loops).toBe(2);
    expect(third.trace.split(";")[0]).toBe(first.trace.split(";")[0]);
  });

  it("exceeds Lambda's limit after 16 invocations", () => {
    let chain = { trace: "", loops: 0 };
    for (let count = 0; count <= loopsMax; count++) chain = traceOfInvocation("drain", chain.trace);
    expect(chain.loops).toBe(17);
  });
});
