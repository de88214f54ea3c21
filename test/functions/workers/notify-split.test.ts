// A fan-out to many users is divided among jobs that run in parallel. Small pages make few users many.
import { afterEach, expect, it, vi } from "vitest";
import { notify } from "../../../functions/workers/notify.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import type { Credentials } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import * as n from "../../support/notifications.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";

afterEach(() => void vi.restoreAllMocks());

const members = n.numbered(700);

/** A page has one entry of each source. So a step reaches 16 members, and 20 steps reach 320. */
const cutPages = () =>
  interceptStore(({ constructor: { name }, input }) => {
    if (name === "QueryCommand" && input.Limit) input.Limit = 1;
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

it("has a job for each shard of the members after 20 steps, and reaches every member once", async () => {
  const { as, id } = await sent();
  cutPages();
  expect(await deliver(notify, [id])).toEqual([]);
  const parts = (await jobsOf(as, "notify")).filter((job) => job.id !== id);
  expect(parts).toHaveLength(16);
  expect(new Set(parts.map(({ payload }) => JSON.stringify(payload.cursors))).size).toBe(16);
  vi.restoreAllMocks();
  await n.runNotify(as);
  expect(await Job.get(id)).toMatchObject({ state: "done" });
  expect(await inboxes(as)).toBe(members.length);
});

it("creates no other jobs when a run dies after the division and is repeated", async () => {
  const { as, id } = await sent();
  cutPages();
  const job = (await Job.get(id)) as Job.Running;
  for (let run = 0; run < 2; run++) expect(await notify.run(job, Date.now() + 60_000)).toMatchObject({ again: {} });
  vi.restoreAllMocks();
  expect((await jobsOf(as, "notify")).filter((each) => each.id !== id)).toHaveLength(16);
  await n.runNotify(as);
  expect(await inboxes(as)).toBe(members.length);
});
