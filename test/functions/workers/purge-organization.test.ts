// The job of organizations/delete removes all data of the organization, and ends only after all of it.
import { afterEach, describe, expect, it, vi } from "vitest";
import { purge } from "../../../functions/workers/purge.ts";
import { createMissing } from "../../../lib/content/existing.ts";
import { beginDeletion } from "../../../lib/deletion/delete-organization.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { getStored } from "../../../lib/store/content/organization-life.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { furnish } from "../../support/furnished-table.ts";
import { runPurges } from "../../support/run-purges.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const organizationId = "o#2";
const escaped = "o%232";
/** Whether an item is in a list of the organization, or points to it. */
const isOf = (item: Item) => JSON.stringify(item).includes(escaped) || item.organizationId === organizationId;
const isJob = ({ pk }: Item) => pk.startsWith("JOB#");
const remaining = async (workspace: string) => (await itemsOf(workspace)).filter((item) => !isJob(item));

async function begun(): Promise<{ workspace: string; jobId: string }> {
  const workspace = await furnish();
  const jobId = (await beginDeletion({ workspace, organizationId })) as string;
  return { workspace, jobId };
}

const storedOf = async (workspace: string) => (await getStored({ workspace }, [organizationId]))[0];

describe("OK", () => {
  it("leaves no item of the organization, and changes nothing else", async () => {
    const workspace = await furnish();
    const before = await remaining(workspace);
    expect(before.filter(isOf).length).toBeGreaterThan(50);
    await beginDeletion({ workspace, organizationId });
    await runPurges({ apiKey: workspace });
    const after = await remaining(workspace);
    expect(after.filter(isOf)).toEqual([]);
    expect(after).toEqual(before.filter((item) => !isOf(item)));
  });

  it("keeps the organization's item until all else is deleted, so nothing can be added before", async () => {
    const { workspace, jobId } = await begun();
    const last: string[] = [];
    interceptStore(async ({ constructor: { name }, input }) => {
      if (name !== "TransactWriteCommand" || !JSON.stringify(input).includes('"ORG"')) return;
      last.push(...(await remaining(workspace)).filter(isOf).map(({ entity }) => String(entity)));
    });
    await runPurges({ apiKey: workspace });
    vi.restoreAllMocks();
    expect([...new Set(last)].toSorted()).toEqual(["deletion-mark", "organization", "organization-entry"]);
    expect(await Job.get(jobId)).toMatchObject({ state: "done" });
    expect(await createMissing({ workspace }, [{ organizationId }])).toEqual([true]);
  });

  it("removes what calls in flight write after the first pass", async () => {
    const workspace = await furnish();
    const written = (await itemsOf(workspace)).filter((item) => !isJob(item) && isOf(item));
    const lists = written.filter(({ entity }) => !/^organization/.test(String(entity)));
    const jobId = (await beginDeletion({ workspace, organizationId })) as string;
    later(60);
    await deliver(purge, [jobId]);
    expect((await remaining(workspace)).filter(isOf).length).toBe(3);
    for (const item of lists) await commit([{ put: item }]);
    await runPurges({ apiKey: workspace });
    expect((await remaining(workspace)).filter(isOf)).toEqual([]);
  });

  it("shows its progress after each run, also when its time ends early", async () => {
    const { workspace, jobId } = await begun();
    const shown: number[] = [];
    for (let runs = 0; (await Job.get(jobId))?.state !== "done"; runs++) {
      expect(runs).toBeLessThan(500);
      later(60);
      // Each run has time for one list.
      await deliver(purge, [jobId], 4_000);
      const { progress } = (await Job.get(jobId))?.payload ?? {};
      if (progress) shown.push(progress.done);
      if (progress) expect(progress.done).toBeLessThanOrEqual(progress.total ?? 0);
    }
    expect(shown.length).toBeGreaterThan(20);
    expect(shown).toEqual(shown.toSorted((one, other) => one - other));
    expect((await remaining(workspace)).filter(isOf)).toEqual([]);
  });
});

describe("a job that runs once more after its end", () => {
  it("deletes nothing of the next life", async () => {
    const { workspace, jobId } = await begun();
    const job = await Job.get(jobId);
    await runPurges({ apiKey: workspace });
    await createMissing({ workspace }, [{ organizationId }]);
    const next = await storedOf(workspace);
    // As if its process had died before the end was recorded.
    expect(await purge.run(job as never, Date.now() + 30_000)).toBe("done");
    expect(await storedOf(workspace)).toEqual(next);
  });

  it("deletes nothing that another deletion must still show as its own", async () => {
    const { workspace, jobId } = await begun();
    const job = await Job.get(jobId);
    await runPurges({ apiKey: workspace });
    await createMissing({ workspace }, [{ organizationId }]);
    const second = await beginDeletion({ workspace, organizationId });
    await purge.run(job as never, Date.now() + 30_000);
    expect(await storedOf(workspace)).toMatchObject({ deletionJobId: second });
  });
});
