// The cost of deleting a tree of folders, over tables in memory: it grows with the number of documents and folders, and
// each of them costs the same in a larger tree.
import { afterEach, describe, expect, it, vi } from "vitest";
import { purge } from "../../../functions/workers/purge.ts";
import { deleteFolders } from "../../../lib/content/delete-folders.ts";
import { createMissing } from "../../../lib/content/existing.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import type { Write } from "../../../lib/dynamodb/write.ts";
import * as Jobs from "../../../lib/jobs/store.ts";
import * as Grant from "../../../lib/store/access/grant.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as Folder from "../../../lib/store/content/folder.ts";
import { type DocumentUid, firstFolderUid } from "../../../lib/store/refs.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { type AwsCommand, atAwsEdge } from "../../support/aws/edge.ts";
import { logs } from "../../support/capture-logs.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { deliver } from "../../support/run-worker.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const at = "2026-01-01T00:00:00.000Z";
const documentsInEach = 10;
const foldersInEach = 10;
/** A run with this time, in ms, ends after its first step. */
const soon = 4_000;

/** A folder with folders in it, `foldersInEach` in each, and documents with a grant in all of them. Returns the workspace. */
async function withTree(folders: number): Promise<string> {
  newTableInMemory();
  const { apiKey: workspace } = await Workspace.create({ name: "large" });
  const ref = { workspace, organizationId: "o" };
  const grant = { userId: "u", generation: 0, accessRole: "viewer" as const };
  await createMissing(ref, [ref]);
  const writes: Write[] = [];
  const ancestorsOf: string[][] = [];
  for (let index = 0; index < folders; index++) {
    const parent = Math.ceil(index / foldersInEach) - 1;
    const ancestors = parent < 0 ? [] : [`f${parent}`, ...(ancestorsOf[parent] as string[])];
    ancestorsOf.push(ancestors);
    const folderId = `f${index}`;
    writes.push(...Folder.creation(ref, { folderId, ancestors, createdAt: at }));
    writes.push(...Grant.onFolder({ ...ref, folderUid: firstFolderUid(folderId) }, grant));
    for (let nth = 0; nth < documentsInEach; nth++) {
      const documentUid = `${folderId}-${nth}` as DocumentUid;
      const document = { documentId: documentUid, documentUid, ancestors: [folderId, ...ancestors], createdAt: at };
      writes.push(...Document.creation(ref, document, undefined));
      writes.push(Grant.onDocument({ workspace, documentUid }, grant));
    }
  }
  await putAll(writes.map((write) => ({ put: (write as { put: Item }).put })));
  return workspace;
}

/** Runs the deletion and all purges that it causes. `remainingMs`: the time of each run. */
async function deletion(workspace: string, remainingMs = 60_000) {
  const waiting: string[] = [];
  let [items, itemsMax] = [0, 0];
  atAwsEdge(async ({ constructor: { name }, input }: AwsCommand, call) => {
    if (name === "SendMessageBatchCommand") {
      // The queue can prefer other workspaces.
      for (const entry of input.Entries as object[]) expect(entry).toMatchObject({ MessageGroupId: workspace });
      waiting.push(...(input.Entries as { MessageBody: string }[]).map(({ MessageBody }) => MessageBody));
      return {};
    }
    if (name === "TransactWriteCommand") items += (input.TransactItems as unknown[]).length;
    return call();
  });
  const marked = await deleteFolders({ workspace, organizationId: "o" }, ["f0"], true);
  const before = logs().length;
  let [runs, ofTree] = [0, 0];
  for (let id = waiting.shift(); id; id = waiting.shift()) {
    later(61);
    items = 0;
    if (id === marked.get("f0")?.jobId) ofTree++;
    await deliver(purge, [id], remainingMs);
    itemsMax = Math.max(itemsMax, items);
    runs++;
  }
  vi.restoreAllMocks();
  const lines = logs()
    .slice(before)
    .filter(({ worker }) => worker === "purge");
  const sum = (name: string) => lines.reduce((total, line) => total + Number(line[name]), 0);
  const { state, payload } = (await Jobs.get(marked.get("f0")?.jobId as string)) ?? {};
  return { runs, ofTree, itemsMax, reads: sum("readUnits"), writes: sum("writeUnits"), state, payload };
}

describe("a tree", () => {
  it("costs the same for each folder with its documents at two sizes", async () => {
    const costs = [];
    for (const folders of [30, 120]) {
      const { reads, writes, state, payload } = await deletion(await withTree(folders));
      expect([state, payload?.progress?.done]).toEqual(["done", folders * (1 + documentsInEach)]);
      costs.push({ reads: reads / folders, writes: writes / folders });
    }
    const [small, large] = costs as [(typeof costs)[number], (typeof costs)[number]];
    expect(large.reads).toBeLessThan(1.02 * small.reads);
    expect(large.writes).toBeLessThan(1.02 * small.writes);
    // A document: its item, entries and grant, each in two passes. A folder: the same, and a job of its own.
    expect(large.reads).toBeLessThan(50);
    expect(large.writes).toBeLessThan(100);
  });

  it("is deleted by many short runs, each of which ends soon after its time and continues by a message", async () => {
    const folders = 30;
    const { ofTree, itemsMax, state } = await deletion(await withTree(folders), soon);
    expect(state).toBe("done");
    expect(ofTree).toBeGreaterThan(folders);
    expect(itemsMax).toBeLessThan(100);
  });
});
