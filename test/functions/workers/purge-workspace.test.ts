// The purge of a deleted workspace leaves no item in the table and no file.

import { afterEach, expect, it, vi } from "vitest";
import { purge } from "../../../functions/workers/purge.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as Grant from "../../../lib/store/access/grant.ts";
import * as Blob from "../../../lib/store/blob.ts";
import { type DocumentUid, documentDataPartition } from "../../../lib/store/refs.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { removeWorkspace } from "../../../lib/workspace/workspaces.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { furnish } from "../../support/furnished-table.ts";
import { claimed } from "../../support/jobs.ts";
import { deliver, storeJob } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { addFolders, give, newOrganization, onFolder } from "../../support/workspace.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

async function remove(workspace: string): Promise<string> {
  const jobId = await removeWorkspace({ workspace });
  expect(jobId).toBeDefined();
  // The purge starts after this time.
  later(60);
  return String(jobId);
}

/** The remaining items, without jobs that are done. */
const remainingIn = async (workspace: string) =>
  (await itemsOf(workspace)).filter(({ state }) => state !== "done").map(({ pk, sk }) => `${pk} ${sk}`);

it("removes all items and jobs of the workspace, and nothing of another one", async () => {
  const [workspace, other] = [await furnish(), await furnish()];
  const before = await itemsOf(other);
  expect((await remainingIn(workspace)).length).toBeGreaterThan(100);
  const id = await remove(workspace);
  expect(await Workspace.get({ workspace })).toBeUndefined();
  expect((await Workspace.list()).map(({ apiKey }) => apiKey)).not.toContain(workspace);
  await deliver(purge, [id]);
  later(60);
  await deliver(purge, [id]);
  expect(await Job.get(id)).toMatchObject({ state: "done" });
  expect(await remainingIn(workspace)).toEqual([]);
  expect(await Blob.get({ workspace }, "file")).toBeUndefined();
  expect(await itemsOf(other)).toEqual(before);
  expect(await Blob.get({ workspace: other }, "file")).toBeDefined();
});

it("removes the grant of a user who has only a grant on a folder", async () => {
  const as = await newOrganization();
  await addFolders(as, { folderId: "f" });
  await give(as, "unknown", onFolder("f"));
  const id = await remove(as.apiKey);
  for (let pass = 0; pass < 2; pass++) {
    await deliver(purge, [id]);
    later(60);
  }
  expect(await remainingIn(as.apiKey)).toEqual([]);
});

it("removes what calls with cached credentials write after the first pass, in any partition", async () => {
  const workspace = await furnish();
  const all = await itemsOf(workspace);
  const id = await remove(workspace);
  await deliver(purge, [id]);
  await Blob.put({ workspace }, "late", Buffer.from("a"));
  // The second pass finds the late descendants through the late organization.
  for (const item of all.filter(({ pk }) => /#(?:ORGS|O|X|DOC|RUNS|KD|K)(?:#|$)/.test(pk)))
    await commit([{ put: item }]);
  later(60);
  await deliver(purge, [id]);
  expect(await Job.get(id)).toMatchObject({ state: "waiting" });
  later(60);
  await deliver(purge, [id]);
  expect(await remainingIn(workspace)).toEqual([]);
  expect(await Blob.get({ workspace }, "late")).toBeUndefined();
});

it("keeps waiting purge jobs and retries failed ones, since only they name their partitions", async () => {
  const workspace = await furnish();
  const deleted = (["deleted-1", "deleted-2"] as DocumentUid[]).map((documentUid) => ({ workspace, documentUid }));
  const partitions = deleted.map(documentDataPartition);
  for (const ref of deleted) {
    await commit([Grant.onDocument(ref, { userId: "u", generation: 0, accessRole: "viewer" })]);
  }
  const purges = await Promise.all(partitions.map((pk) => storeJob("purge", workspace, { partitions: [pk] })));
  await Job.finish(await claimed(purges[0] as string), "failed");
  const id = await remove(workspace);
  for (let pass = 0; pass < 3; pass++) {
    await deliver(purge, [id, ...purges]);
    later(60);
  }
  expect(await remainingIn(workspace)).toEqual([]);
});

it("continues after interruptions until nothing remains, so that the root is deleted last", async () => {
  const workspace = await furnish();
  const id = await remove(workspace);
  for (let stop = 1; (await remainingIn(workspace)).length > 0; stop++) {
    // The job has ten attempts. A batch that is done in part is written in several commands.
    expect(stop, "runs").toBeLessThan(11);
    let writes = 0;
    interceptStore((command) => {
      if (command.constructor.name === "BatchWriteCommand" && ++writes > 18) throw new Error("killed");
    });
    await deliver(purge, [id]);
    vi.restoreAllMocks();
    later(900);
  }
});
