import { describe, expect, it } from "vitest";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import type { Context } from "../../../lib/erasure/context.ts";
import { eraseFromJobs } from "../../../lib/erasure/erase-from-jobs.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as JobStore from "../../../lib/jobs/store.ts";
import { type Job, newJob } from "../../../lib/store/job.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { claimed } from "../../support/jobs.ts";
import { itemsOf } from "../../support/scan.ts";
import { newOrganization, organizationId } from "../../support/workspace.ts";

fakeDates();

const zoe = "zoe@example.org";
const note = { organizationId, documentUid: "x", at: "2026-01-01T00:00:00.000Z", notificationId: "n" };

/** A job whose runs have all failed. */
async function failed(kind: Job["kind"], workspace: string, payload: Job["payload"]): Promise<string> {
  const job = newJob(kind, workspace, payload);
  await commit([], { jobs: [job] });
  await JobStore.finish(await claimed(job.id), "failed");
  return job.id;
}

const payloadOf = async (id: string) => (await JobStore.get(id))?.payload;

describe("an erasure", () => {
  it("removes a user from the positions and lists of failed jobs, which can still be run again", async () => {
    const { apiKey: workspace } = await newOrganization();
    const life = (userId: string) => ({ organizationId, userId, generation: 0 });
    const [fanOut, migration, purge] = [
      await failed("notify", workspace, { ...note, steps: 1, cursors: [zoe, null, `GRANT#${zoe}`, "ben"] }),
      await failed("migrate", workspace, { organizationId, migrationId: "m", after: `GRANT#${zoe}` }),
      await failed("purge", workspace, { users: [life(zoe), life("ben")] }),
    ];
    await erased(await beginErasure(workspace, { userIds: [zoe] }));
    expect(await payloadOf(fanOut)).toEqual({ ...note, steps: 1, cursors: ["", null, "", "ben"] });
    expect(await payloadOf(migration)).toEqual({ organizationId, migrationId: "m" });
    expect(await payloadOf(purge)).toEqual({ users: [life("ben")] });
    expect((await itemsOf(workspace)).filter((item) => JSON.stringify(item).includes(zoe))).toEqual([]);
  });

  it("lets the messages of an event begin a list again whose position names the user", async () => {
    const { apiKey: workspace } = await newOrganization();
    const messages = (...cursors: (string | null)[]) => ({ next: 0, progress: { channel: "email", cursors } });
    const payload = { eventsJson: "[]", createdAt: "2026-01-01T00:00:00.000Z", done: 0 };
    const id = await failed("fanout", workspace, { ...payload, messages: messages(`email#${zoe}`, null, "email#ben") });
    const other = await failed("fanout", workspace, { ...payload, messages: messages("email#ben") });
    await erased(await beginErasure(workspace, { userIds: [zoe] }));
    expect(await payloadOf(id)).toEqual({ ...payload, messages: messages("", null, "email#ben") });
    expect(await payloadOf(other)).toEqual({ ...payload, messages: messages("email#ben") });
  });

  it("in one organization leaves the jobs of others as they are", async () => {
    const { apiKey: workspace } = await newOrganization();
    const payload = { ...note, organizationId: "other", cursors: [zoe] };
    const id = await failed("notify", workspace, payload);
    await erased(await beginErasure(workspace, { userIds: [zoe], organizationId }));
    expect(await payloadOf(id)).toEqual(payload);
  });
});

it("stops in time between two pages of jobs, and goes on there", async () => {
  const { apiKey: workspace } = await newOrganization();
  const id = await failed("notify", workspace, { ...note, cursors: [zoe] });
  const users = { userIds: [zoe], users: new Set([zoe]), organizationId: undefined };
  const context: Context = {
    ...{
      workspace,
      jobId: "j",
      acceptedAt: new Date().toISOString(),
      lastAcceptedAt: new Date().toISOString(),
      ...users,
    },
    ...{ isIncomplete: false, organizationsDone: 0 },
  };
  let from = await eraseFromJobs(context, undefined, Date.now() - 1);
  let runs = 1;
  for (; from; runs++) from = await eraseFromJobs(context, from, Date.now() - 1);
  expect(runs).toBe(17);
  expect(await payloadOf(id)).toEqual({ ...note, cursors: [""] });
});
