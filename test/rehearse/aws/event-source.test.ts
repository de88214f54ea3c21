// What becomes of a batch, for each kind of reply, and of a function that sends to its own queue.
import { beforeEach, describe, expect, it } from "vitest";
import { deliver } from "./event-source.ts";
import { Queues } from "./queues.ts";
import type { Mapping } from "./template.ts";

const group = "w";
const mapping: Mapping = {
  kind: "purge",
  queueArn: "arn:aws:sqs:us-east-1:000000000000:purge",
  functionArn: "arn:aws:lambda:us-east-1:000000000000:function:purge",
  batchSize: 2,
  reportsFailures: true,
};
let now: number;
let queues: Queues;

beforeEach(() => {
  now = 0;
  queues = new Queues([{ kind: "purge", visibilitySeconds: 360, receivesMax: 3 }], () => now);
});

const send = (body: string, trace = "") =>
  queues.respond("SendMessage", { QueueUrl: "http://sqs/0/purge", MessageBody: body, MessageGroupId: group }, trace);

interface Event {
  Records: { messageId: string; body: string; eventSourceARN: string; attributes: Record<string, string> }[];
}

/** Delivers once. Returns the bodies that the function got. */
async function delivered(reply: (event: Event) => object, changed: Partial<Mapping> = {}): Promise<string[]> {
  const bodies: string[] = [];
  await deliver(
    queues,
    { ...mapping, ...changed },
    {
      group,
      allowsRecursion: false,
      async invoke(event) {
        bodies.push(...(event as Event).Records.map(({ body }) => body));
        return reply(event as Event);
      },
    },
  );
  return bodies;
}

const failing = (...bodies: string[]) => {
  return ({ Records }: Event) => {
    const ids = Records.filter(({ body }) => bodies.includes(body)).map(({ messageId }) => messageId);
    return { result: { batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) } };
  };
};
const none = () => ({ result: { batchItemFailures: [] } });

describe("a batch", () => {
  it("has at most the messages of the mapping's batch size, with their queue and their number of receives", async () => {
    for (const body of ["a", "b", "c"]) send(body);
    const seen: Event[] = [];
    const noted = (event: Event) => {
      seen.push(event);
      return none();
    };
    expect(await delivered(noted)).toEqual(["a", "b"]);
    expect(await delivered(noted)).toEqual(["c"]);
    const [first] = seen[0]?.Records ?? [];
    expect(first?.eventSourceARN).toBe(mapping.queueArn);
    expect(first?.attributes).toMatchObject({ ApproximateReceiveCount: "1", MessageGroupId: group });
  });

  it("leaves the queue without the messages that the reply lists, which come again after the timeout", async () => {
    send("a");
    send("b");
    await delivered(failing("b"));
    now = 359_999;
    expect(await delivered(none)).toEqual([]);
    now = 360_000;
    expect(await delivered(none)).toEqual(["b"]);
    now = 720_000;
    expect(await delivered(none)).toEqual([]);
  });

  it.each([
    ["the function throws", () => ({ error: { type: "Error" } })],
    ["the reply lists an unknown message", () => ({ result: { batchItemFailures: [{ itemIdentifier: "other" }] } })],
    ["the reply lists an empty id", () => ({ result: { batchItemFailures: [{}] } })],
  ])("stays in the queue as a whole when %s", async (_, reply) => {
    send("a");
    send("b");
    await delivered(reply);
    now = 360_000;
    expect(await delivered(none)).toEqual(["a", "b"]);
  });

  it("leaves the queue as a whole when the mapping does not report failures", async () => {
    send("a");
    await delivered(failing("a"), { reportsFailures: false });
    now = 360_000;
    expect(await delivered(none)).toEqual([]);
  });

  it("becomes dead letters when it fails as often as the redrive policy allows", async () => {
    send("a");
    for (let receive = 0; receive < 3; receive++) {
      expect(await delivered(failing("a"))).toEqual(["a"]);
      now += 360_000;
    }
    expect(queues.deadLetters).toEqual([]);
    expect(await delivered(none)).toEqual([]);
    expect(queues.deadLetters).toMatchObject([{ body: "a", receives: 3 }]);
  });
});

describe("a function that sends to its own queue", () => {
  /** Runs the chain. Returns how often the function ran before Lambda ended the chain, or 40. */
  async function runsOf(allowsRecursion: boolean, passedOn: boolean): Promise<number> {
    send("0");
    for (let runs = 0; runs < 40; runs++) {
      const { run, stopped } = await deliver(queues, mapping, {
        group,
        allowsRecursion,
        async invoke(_, trace) {
          send(String(runs), passedOn ? trace : "");
          return none();
        },
      });
      if (stopped.length > 0) expect(run).toBeUndefined();
      if (!run) return runs;
    }
    return 40;
  }

  it("is stopped after 16 runs, and its message becomes a dead letter", async () => {
    expect(await runsOf(false, true)).toBe(16);
    expect(queues.deadLetters).toHaveLength(1);
  });

  it.each([
    ["its setting allows it", true, true],
    ["it does not pass the trace header on", false, false],
  ])("goes on if %s", async (_, allowsRecursion, passedOn) => {
    expect(await runsOf(allowsRecursion, passedOn)).toBe(40);
    expect(queues.deadLetters).toEqual([]);
  });
});
