// The events of one call about one document are taken together.
import { expect, it, vi } from "vitest";
import { costOf, inCall, newCall } from "../../../lib/call.ts";
import { eventsIn } from "../../../lib/jobs/outbox.ts";
import { fanOutMessages } from "../../../lib/messages/fan-out-messages.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import type { Credentials } from "../../support/call.ts";
import { add } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { ann, bob, withMail } from "../../support/messages.ts";
import { itemsOf } from "../../support/scan.ts";

/** By one call: threads of bob's with a comment of ann's each. */
const addThreads = (as: Credentials, count: number) =>
  add(
    as,
    { id: "page" },
    {
      comments: Array.from({ length: count }, (_, index) => ({
        annotationId: `x${index}`,
        from: bob,
        comments: [{ commentId: `c${index}`, from: ann, text: "Shall we?" }],
      })),
    },
  );

/** Runs the jobs of the events. Returns the requests. */
async function fanOut(as: Credentials): Promise<number> {
  const record = newCall("test");
  await inCall(record, async () => {
    for (const job of await jobsOf(as, "fanout"))
      expect(await fanOutMessages(job, Date.now() + 60_000)).toBeUndefined();
  });
  return costOf(record).roundTrips;
}

/** Each waiting message: to whom, and which event about what. */
async function waiting({ apiKey }: Credentials): Promise<string[]> {
  const items = (await itemsOf(apiKey)).filter(({ entity }) => entity === "waiting-message");
  return items.map(({ userId, event, annotationId }) => `${userId} ${event} ${annotationId}`).sort();
}

it("tells each user of each event, as if the events were alone, with few more requests than for one thread", async () => {
  const one = await withMail();
  await addThreads(one, 1);
  const alone = await fanOut(one);
  // Bob has begun the thread, and ann has written in it. Nobody is told of an own change.
  expect(await waiting(one)).toEqual(["ann comment_annotation.add x0", "bob comment.add x0"]);
  const many = await withMail();
  await addThreads(many, 1);
  await addThreads(many, 12);
  const together = await fanOut(many);
  const ids = Array.from({ length: 12 }, (_, index) => `x${index}`);
  const expected = ids.flatMap((id) => [`ann comment_annotation.add ${id}`, `bob comment.add ${id}`]);
  expect(await waiting(many)).toEqual([...expected].sort());
  expect(together).toBeLessThan(2.5 * alone);
});

it("tells the events of one call in their order, also of several jobs", async () => {
  const as = await withMail();
  await addThreads(as, 1_000);
  expect((await jobsOf(as, "fanout")).length).toBeGreaterThan(2);
  await fanOut(as);
  const items = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "waiting-message");
  const toBob = items.filter(({ userId }) => userId === "bob").sort((one, other) => (one.sk < other.sk ? -1 : 1));
  expect(toBob.map(({ annotationId }) => annotationId)).toEqual(
    Array.from({ length: 1_000 }, (_, index) => `x${index}`),
  );
});

it("continues a group that a run could not end", async () => {
  const as = await withMail();
  await addThreads(as, 20);
  const jobs = await jobsOf(as, "fanout");
  const end = Date.now() + 60_000;
  for (const job of jobs) {
    vi.useFakeTimers({ toFake: ["Date"] });
    // The first step ends late.
    interceptStore(async ({ constructor: { name } }) => void (name === "BatchWriteCommand" && vi.setSystemTime(end)));
    const payload = await fanOutMessages(job, end);
    vi.restoreAllMocks();
    vi.useRealTimers();
    const { length } = eventsIn(job.payload);
    expect(payload?.messages).toMatchObject({ next: 0, count: Math.min(length, 25), progress: { channel: "email" } });
    expect(await fanOutMessages({ ...job, payload: { ...payload } }, end)).toBeUndefined();
  }
  expect(await waiting(as)).toHaveLength(40);
});
