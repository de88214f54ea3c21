// A fan-out to many users is divided among jobs that run in parallel. Small pages make few users many.
import { afterEach, expect, it, vi } from "vitest";
import { notify } from "../../../functions/workers/notify.ts";
import { inCall, newCall } from "../../../lib/call.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import * as Job from "../../../lib/jobs/store.ts";
import type { NotifyPayload } from "../../../lib/notify/notify-run.ts";
import { userEntity } from "../../../lib/store/access/user.ts";
import * as UserGroup from "../../../lib/store/access/user-group.ts";
import type { Job as JobItem } from "../../../lib/store/job.ts";
import * as WaitingSlot from "../../../lib/store/waiting-slot.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import type { Credentials } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf, nextRunOf } from "../../support/jobs.ts";
import * as n from "../../support/notifications.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const { slotCounts } = WaitingSlot;
const members = n.numbered(700);
const payloadOf = (job: JobItem) => job.payload as unknown as NotifyPayload;

/** A page has one entry of each source. So a step reaches 16 members, and 20 steps reach 320. */
const cutPages = () =>
  interceptStore(({ constructor: { name }, input }) => {
    if (name === "QueryCommand" && input.Limit && !input.IndexName) input.Limit = 1;
  });

async function sent(): Promise<{ as: Credentials; id: string }> {
  const as = await n.newDocument(members);
  await n.add(as);
  const [job] = await jobsOf(as, "notify");
  return { as, id: job?.id ?? "" };
}

async function inboxes({ apiKey }: Credentials): Promise<number> {
  return (await itemsOf(apiKey)).filter(({ entity }) => entity === "inbox-entry").length;
}

/** One invocation for each job that is not done, all at once, when they are due. */
async function round(as: Credentials): Promise<void> {
  later(60);
  const jobs = await jobsOf(as, "notify");
  expect((await Promise.all(jobs.map(({ id }) => deliver(notify, [id])))).flat()).toEqual([]);
}

async function untilDone(as: Credentials): Promise<void> {
  while ((await jobsOf(as, "notify")).length > 0) await round(as);
}

it("has a job for each slot of the workspace after 20 steps, and reaches every member once", async () => {
  const { as, id } = await sent();
  cutPages();
  expect(await deliver(notify, [id])).toEqual([]);
  const parts = (await jobsOf(as, "notify")).filter((job) => job.id !== id);
  expect(parts).toHaveLength(slotCounts.notify);
  const sources = parts.flatMap((job) =>
    payloadOf(job).cursors?.flatMap((after, index) => (after === null ? [] : index)),
  );
  expect(sources.toSorted((one, other) => Number(one) - Number(other))).toEqual([...Array(16).keys()]);
  vi.restoreAllMocks();
  await untilDone(as);
  expect(await Job.get(id)).toMatchObject({ state: "done" });
  expect(await inboxes(as)).toBe(members.length);
});

it("keeps the user groups in the first job, and reaches every member of a group once", async () => {
  const as = await n.newDocument(members);
  const guests = n.numbered(40, "guest");
  const organization = { workspace: as.apiKey, organizationId };
  const group = { ...organization, organizationUserGroupId: "g", groupUid: "x" };
  const at = new Date().toISOString();
  await putAll([
    UserGroup.userGroupEntity.put(group, {
      organizationId,
      organizationUserGroupId: "g",
      groupUid: "x",
      createdAt: at,
    }),
    ...guests.map((userId) =>
      userEntity.put({ ...organization, userId }, { organizationId, userId, createdAt: at, updatedAt: at }),
    ),
    ...[...guests, "u0"].map((userId) => UserGroup.groupMemberEntity.put({ ...group, userId }, { userId })),
  ]);
  await n.add(as, { notifyUserGroups: ["g"] });
  const [job] = await jobsOf(as, "notify");
  cutPages();
  expect(await deliver(notify, [job?.id ?? ""])).toEqual([]);
  const openGroups = (await jobsOf(as, "notify")).map((each) => [each.id, typeof payloadOf(each).cursors?.[16]]);
  expect(openGroups.filter(([, cursor]) => cursor === "string")).toEqual([[job?.id, "string"]]);
  vi.restoreAllMocks();
  await untilDone(as);
  expect(await inboxes(as)).toBe(members.length + guests.length);
});

it("creates no other jobs when a run dies after the division and is repeated", async () => {
  const { as, id } = await sent();
  cutPages();
  const job = (await Job.get(id)) as Job.Running;
  for (let run = 0; run < 2; run++) expect(await notify.run(job, Date.now() + 60_000)).toMatchObject({ again: {} });
  vi.restoreAllMocks();
  expect((await jobsOf(as, "notify")).filter((each) => each.id !== id)).toHaveLength(slotCounts.notify);
  await untilDone(as);
  expect(await inboxes(as)).toBe(members.length);
});

it("runs only in slots of the workspace from then on, and makes 20 steps in each run", async () => {
  const { as, id } = await sent();
  cutPages();
  await deliver(notify, [id]);
  const jobs = await jobsOf(as, "notify");
  const slots = await Promise.all(
    ["a", "b", "c"].map((holder) => WaitingSlot.hold({ workspace: as.apiKey }, "notify", holder, 3_600_000)),
  );
  expect([slots.length, slots.filter(Boolean).length]).toEqual([slotCounts.notify, slotCounts.notify]);
  const now = async () => (await jobsOf(as, "notify")).map((job) => [payloadOf(job).steps, payloadOf(job).waits]);
  await round(as);
  expect(await now()).toEqual(jobs.map(() => [20, 1]));
  await WaitingSlot.release(slots[0] as WaitingSlot.Held);
  later(60);
  const part = jobs.find((job) => job.id !== id)?.id ?? "";
  expect(await deliver(notify, [part])).toEqual([]);
  expect(payloadOf((await Job.get(part)) as JobItem)).toMatchObject({ steps: 40 });
  for (const slot of slots) await WaitingSlot.release(slot as WaitingSlot.Held);
  vi.restoreAllMocks();
  await untilDone(as);
  expect(await inboxes(as)).toBe(members.length);
});

it("leaves workers to others: with two workers, their notification is delivered in the next round", async () => {
  const { as, id } = await sent();
  cutPages();
  await deliver(notify, [id]);
  later(60);
  const others = await n.newDocument(["ann"]);
  const parts = (await jobsOf(as, "notify")).filter((job) => job.id !== id);
  await Promise.all(parts.slice(0, 2).map((job) => deliver(notify, [job.id])));
  const ran = await Promise.all(parts.slice(0, 2).map(async (job) => (await Job.get(job.id)) as JobItem));
  // Both have more to do, have ended their runs, and are due later than the other notification.
  await n.add(others);
  const [other] = await jobsOf(others, "notify");
  for (const job of ran) {
    expect(job.state).toBe("waiting");
    expect(job.dueAt).toBeGreaterThan(other?.dueAt ?? Number.NaN);
  }
  await deliver(notify, [other?.id ?? ""]);
  expect([await inboxes(others), await jobsOf(others, "notify")]).toEqual([1, []]);
});

it("keeps the steps that are done when the time of a run ends within one", async () => {
  const { as, id } = await sent();
  const stop = new AbortController();
  const job = (await Job.get(id)) as Job.Running;
  let steps = 0;
  interceptStore(({ constructor: { name }, input }) => {
    if (name === "QueryCommand" && input.Limit && !input.IndexName) input.Limit = 1;
    if (name === "BatchWriteCommand" && ++steps === 3) stop.abort(new Error("The time is over."));
  });
  const run = (payload: JobItem["payload"]) =>
    inCall(newCall("r", stop.signal), () => notify.run({ ...job, payload }, Date.now() + 60_000));
  const rest = nextRunOf(await run(job.payload)).payload;
  expect(rest.steps).toBeGreaterThan(0);
  expect(rest.cursors).toBeDefined();
  // A run that completes no step has failed.
  await expect(run(rest)).rejects.toThrow();
  vi.restoreAllMocks();
  const end = await notify.run({ ...job, payload: rest }, Date.now() + 60_000);
  expect(end).toBe("done");
  expect(await inboxes(as)).toBe(members.length);
});
