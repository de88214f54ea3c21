import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { drain } from "../../../functions/workers/drain.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { newJob } from "../../../lib/store/job.ts";
import * as Delivery from "../../../lib/store/webhooks/delivery.ts";
import { drainJob } from "../../../lib/webhooks/endpoint-jobs.ts";
import { fanOutEvents } from "../../../lib/webhooks/fan-out-deliveries.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { claimed, jobsOf } from "../../support/jobs.ts";
import { deliver } from "../../support/run-worker.ts";
import {
  addEndpoint,
  deliveriesOf,
  drainJobOf,
  emit,
  eventOf,
  hooked,
  outbox,
  receiver,
} from "../../support/webhooks.ts";

let workspace: string;
beforeEach(async () => {
  workspace = (await hooked()).apiKey;
});
afterEach(() => void vi.restoreAllMocks());

describe("OK", () => {
  it("stores one delivery for each event and each endpoint that wants it, and one job for each endpoint", async () => {
    const url = "https://example.com";
    const all = await addEndpoint(workspace, { url });
    const some = await addEndpoint(workspace, { url, channels: ["document:a"] });
    const none = await addEndpoint(workspace, { url, filterTypes: ["user.add"] });
    const off = await addEndpoint(workspace, { url, disabled: true });
    const id = await outbox(workspace, eventOf(workspace, "a"), eventOf(workspace, "b"));
    expect(await deliver(fanout, [id])).toEqual([]);
    const counts = [all, some, none, off].map(async (each) => (await deliveriesOf(workspace, each.id)).length);
    expect(await Promise.all(counts)).toEqual([2, 1, 0, 0]);
    expect(await jobsOf({ apiKey: workspace }, "drain")).toHaveLength(2);
    expect(await Job.get(id)).toMatchObject({ state: "done" });
  });

  it("stores one job for an endpoint when several events arrive together", async () => {
    await addEndpoint(workspace, { url: "https://example.com" });
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, index) => outbox(workspace, eventOf(workspace, `d${index}`))),
    );
    await deliver(fanout, ids);
    expect(await jobsOf({ apiKey: workspace }, "drain")).toHaveLength(1);
  });

  it("continues in another run when its time ends, and repeats no delivery", async () => {
    const { id } = await addEndpoint(workspace, { url: "https://example.com" });
    const events = ["a", "b", "c"].map((each) => eventOf(workspace, each));
    let job = newJob("fanout", workspace, { eventsJson: JSON.stringify(events), createdAt: new Date().toISOString() });
    for (let runs = 1; runs <= 3; runs++) {
      const { rest } = await fanOutEvents(job, Date.now() - 1);
      expect(await deliveriesOf(workspace, id)).toHaveLength(runs);
      expect(rest?.done).toBe(runs < 3 ? runs : undefined);
      job = { ...job, payload: { ...rest } };
    }
  });

  it("makes a waiting drain due immediately when a new event follows a failed delivery", async () => {
    const { url } = await receiver((response) => response.writeHead(500).end());
    const { id } = await addEndpoint(workspace, { url });
    const before = Date.now();
    await emit(workspace, eventOf(workspace, "a"));
    const waiting = await drainJobOf(workspace, id);
    expect(waiting).toMatchObject({ state: "waiting" });
    expect(waiting?.dueAt).toBeGreaterThan(before + 1_500);
    await deliver(fanout, [await outbox(workspace, eventOf(workspace, "b"))]);
    expect((await drainJobOf(workspace, id))?.dueAt).toBeLessThanOrEqual(Date.now());
  });

  it("marks a running drain, which then runs again instead of ending", async () => {
    const { id } = await addEndpoint(workspace, { url: "https://example.com" });
    await deliver(fanout, [await outbox(workspace, eventOf(workspace, "a"))]);
    const running = await claimed(drainJob({ workspace, endpointId: id }).id);
    await deliver(fanout, [await outbox(workspace, eventOf(workspace, "b"))]);
    expect(await drainJobOf(workspace, id)).toMatchObject({ state: "running", woken: true });
    expect(await Job.finish(running, "done")).toBe(false);
  });
});

/** Throws before or after the `count`-th call to the table and all later ones. The result returns whether it threw. */
function killAt(count: number, isBefore: boolean): () => boolean {
  let calls = 0;
  const dieIf = (isDeath: boolean) => {
    if (isDeath && calls >= count) throw Object.assign(new Error("killed"), { name: "Killed" });
  };
  interceptStore(
    () => {
      calls += 1;
      dieIf(isBefore);
    },
    () => dieIf(!isBefore),
  );
  return () => calls >= count;
}

describe.each([
  ["before", true],
  ["after", false],
])("when the process dies %s one of its calls to the table", (_, isBefore) => {
  it("fanout delivers each event exactly once", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    for (let count = 1, hasDied = true; hasDied; count++) {
      const space = (await hooked()).apiKey;
      const { received, url } = await receiver();
      await addEndpoint(space, { url });
      const id = await outbox(space, eventOf(space, "a"), eventOf(space, "b"));
      const isDead = killAt(count, isBefore);
      await deliver(fanout, [id]);
      hasDied = isDead();
      vi.restoreAllMocks();
      // Attempts what the dead run has stored, before the next run stores the rest.
      await drainAll(space);
      vi.setSystemTime(Date.now() + 200_000);
      await deliver(fanout, [id]);
      await drainAll(space);
      const ids = received.map(({ headers }) => headers["webhook-id"]);
      expect([ids.length, new Set(ids).size], `call ${count}`).toEqual([2, 2]);
    }
    vi.useRealTimers();
  });

  it("drain makes each delivery at least once, under one webhook-id", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    for (let count = 1, hasDied = true; hasDied; count++) {
      const space = (await hooked()).apiKey;
      let failures = 1;
      const { received, url } = await receiver((response) => response.writeHead(failures-- > 0 ? 500 : 200).end());
      const { id } = await addEndpoint(space, { url });
      await deliver(fanout, [await outbox(space, eventOf(space, "a"), eventOf(space, "b"))]);
      const isDead = killAt(count, isBefore);
      await deliver(drain, [drainJob({ workspace: space, endpointId: id }).id]);
      hasDied = isDead();
      vi.restoreAllMocks();
      for (let run = 0; run < 3; run++) {
        vi.setSystemTime(Date.now() + 200_000);
        await drainAll(space);
      }
      const documents = new Map(
        received.map(({ headers, body }) => [headers["webhook-id"], JSON.parse(body).documentId]),
      );
      expect([...documents.values()].sort(), `call ${count}`).toEqual(["a", "b"]);
      expect(await deliveriesOf(space, id)).toMatchObject([{ status: "delivered" }, { status: "delivered" }]);
      expect(await Delivery.nextDueAt({ workspace: space, endpointId: id })).toBeUndefined();
    }
    vi.useRealTimers();
  });
});

const drainAll = async (of: string) =>
  deliver(
    drain,
    (await jobsOf({ apiKey: of }, "drain")).map(({ id }) => id),
  );

it("makes one attempt for each delivery when no call fails", async () => {
  const { received, url } = await receiver();
  await addEndpoint(workspace, { url });
  await emit(workspace, ...Array.from({ length: 120 }, (_, index) => eventOf(workspace, `d${index}`)));
  expect(received).toHaveLength(120);
  expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(120);
});
