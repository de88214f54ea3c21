// Workspaces deleted with all that they hold: nothing of theirs is left in the table or the store of files.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { purge } from "../../../functions/workers/purge.ts";
import { workspacePurgeJob } from "../../../lib/deletion/purge.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as Blob from "../../../lib/store/blob.ts";
import * as Grant from "../../../lib/store/grant.ts";
import { keys } from "../../../lib/store/keys.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { furnish } from "../../faults/furnish.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { deliver, storeJob } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function remove(workspace: string): Promise<string> {
  const job = workspacePurgeJob(workspace);
  expect(await Workspace.remove(workspace, job)).toBe(true);
  return job.id;
}

/** What is left, but for the jobs that have ended. */
const left = async (workspace: string) =>
  (await itemsOf(workspace)).filter(({ state }) => state !== "done").map(({ pk, sk }) => `${pk} ${sk}`);

it("leaves nothing, its jobs included, and nothing of another workspace is touched", async () => {
  const [workspace, other] = [await furnish(), await furnish()];
  const before = await itemsOf(other);
  expect((await left(workspace)).length).toBeGreaterThan(100);
  const id = await remove(workspace);
  expect(await Workspace.get(workspace)).toBeUndefined();
  expect((await Workspace.list()).map(({ apiKey }) => apiKey)).not.toContain(workspace);
  await deliver(purge, [id]);
  later(60);
  await deliver(purge, [id]);
  expect(await Job.get(id)).toMatchObject({ state: "done" });
  expect(await left(workspace)).toEqual([]);
  expect(await Blob.get(workspace, "file")).toBeUndefined();
  expect(await itemsOf(other)).toEqual(before);
  expect(await Blob.get(other, "file")).toBeDefined();
});

it("removes what calls with kept credentials wrote after the first pass, in any of the places", async () => {
  const workspace = await furnish();
  const all = await itemsOf(workspace);
  const id = await remove(workspace);
  await deliver(purge, [id]);
  await Blob.put(workspace, "late", Buffer.from("a"));
  // An organization added late leads to all that hangs from it again.
  for (const item of all.filter(({ pk }) => /#(?:ORGS|O|X|DOC|RUNS|KD|K)(?:#|$)/.test(pk)))
    await commit([{ put: item }]);
  later(60);
  await deliver(purge, [id]);
  expect(await Job.get(id)).toMatchObject({ state: "waiting" });
  later(60);
  await deliver(purge, [id]);
  expect(await left(workspace)).toEqual([]);
  expect(await Blob.get(workspace, "late")).toBeUndefined();
});

it("waits for the purges that are under way, and lets those run again that failed: only they know their partitions", async () => {
  const workspace = await furnish();
  const partitions = ["deleted-1", "deleted-2"].map((uid) => keys.documentData(workspace, uid));
  for (const uid of ["deleted-1", "deleted-2"]) {
    await commit([Grant.onDocument(workspace, uid, { userId: "u", life: 0, accessRole: "viewer" })]);
  }
  const purges = await Promise.all(partitions.map((pk) => storeJob("purge", workspace, { partitions: [pk] })));
  const failed = await Job.claim(purges[0] as string, 60_000);
  await Job.finish(failed as NonNullable<typeof failed>, "failed");
  const id = await remove(workspace);
  for (let pass = 0; pass < 3; pass++) {
    await deliver(purge, [id, ...purges]);
    later(60);
  }
  expect(await left(workspace)).toEqual([]);
});

it("goes on after being stopped at any page, and has its root last", async () => {
  const workspace = await furnish();
  const id = await remove(workspace);
  for (let stop = 1; (await left(workspace)).length > 0; stop++) {
    expect(stop).toBeLessThan(60);
    let writes = 0;
    interceptStore((command) => {
      if (command.constructor.name === "BatchWriteCommand" && ++writes > 8) throw new Error("killed");
    });
    await deliver(purge, [id]);
    vi.restoreAllMocks();
    later(900);
  }
});
