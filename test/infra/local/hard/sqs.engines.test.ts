import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, onTestFinished, test } from "vitest";
import { placeholderAccess } from "../../../../infra/local/environment.ts";
import { type QueueRates, queueRates } from "../../../../infra/local/hard/rates.ts";
import { hardQueues } from "../../../../infra/local/hard/sqs.ts";
import { startSqs } from "../../../../infra/local/sqs.ts";

const none = Object.fromEntries(Object.keys(queueRates).map((name) => [name, 0])) as unknown as QueueRates;
const requests = 12;

/** Sends batches of three messages, each tried once. Returns what became of each batch, and the messages received. */
async function sent(disturbances: Partial<QueueRates>, { seed = 1, waitMs = 60_000 } = {}) {
  const sqs = await startSqs(["purge"], { hard: hardQueues(seed, { ...none, ...disturbances }) });
  const client = new SQSClient({ endpoint: sqs.endpoint, maxAttempts: 1, ...placeholderAccess });
  onTestFinished(async () => {
    client.destroy();
    await sqs.close();
  });
  const QueueUrl = sqs.urlOf("purge");
  const send = async (request: number) => {
    const Entries = ["a", "b", "c"].map((Id) => ({ Id, MessageBody: `${request} ${Id}` }));
    try {
      const command = new SendMessageBatchCommand({ QueueUrl, Entries });
      const { Failed = [] } = await client.send(command, { abortSignal: AbortSignal.timeout(waitMs) });
      return Failed.map(({ Id, SenderFault }) => `${Id} ${SenderFault}`).join() || "sent";
    } catch (thrown) {
      return (thrown as Error).name;
    }
  };
  const replies: string[] = [];
  for (let request = 0; request < requests; request++) replies.push(await send(request));
  const bodies = sqs
    .queue("purge")
    .receive(100, 30_000)
    .map(({ body }) => body);
  return { replies, bodies };
}

test("without disturbances, every message arrives once and in order", async () => {
  const { replies, bodies } = await sent({});
  expect(replies).toEqual(Array(requests).fill("sent"));
  expect(bodies).toEqual(replies.flatMap((_, request) => ["a", "b", "c"].map((id) => `${request} ${id}`)));
});

test.each([
  ["fails with status 500", { failed: 1 }, "InternalFailure"],
  ["gets no reply", { hung: 1 }, "AbortError"],
])("a request that %s may have sent its messages or not", async (_, disturbances, name) => {
  const { replies, bodies } = await sent(disturbances, { waitMs: "hung" in disturbances ? 500 : 60_000 });
  expect(replies).toEqual(Array(requests).fill(name));
  expect(bodies.length).toBeGreaterThan(0);
  expect(bodies.length).toBeLessThan(requests * 3);
});

test("a batch sends only the entries that it does not report as failed, without the sender's fault", async () => {
  const { replies, bodies } = await sent({ entryFailed: 0.5 });
  const failed = replies.flatMap((reply, request) =>
    reply === "sent" ? [] : reply.split(",").map((each) => `${request} ${each}`),
  );
  expect(failed.every((each) => each.endsWith(" false"))).toBe(true);
  expect(failed.length).toBeGreaterThan(0);
  expect(bodies).toHaveLength(requests * 3 - failed.length);
});

test("a message arrives twice", async () => {
  const { bodies } = await sent({ duplicated: 1 });
  expect(bodies).toHaveLength(requests * 3 * 2);
  expect(new Set(bodies).size).toBe(requests * 3);
});

test("a late message is overtaken by later ones, and the same seed delays the same messages", async () => {
  const isLate = async (seed: number) => new Set((await sent({ late: 0.5, lateMsMax: 6_000_000 }, { seed })).bodies);
  const arrived = await isLate(1);
  expect(arrived.size).toBeLessThan(requests * 3);
  expect(await isLate(1)).toEqual(arrived);
  expect(await isLate(2)).not.toEqual(arrived);
});
