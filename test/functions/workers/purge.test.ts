import { afterEach, describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { purgeJob } from "../../../lib/deletion/purge-job.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commitEach } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as Grant from "../../../lib/store/access/grant.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { newJob } from "../../../lib/store/job.ts";
import * as Recipients from "../../../lib/store/notifications/recipients.ts";
import { type DocumentUid, documentDataPartition } from "../../../lib/store/refs.ts";
import { type Command, interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { nextRunOf } from "../../support/jobs.ts";
import { add as addNotification, numbered } from "../../support/notifications.ts";
import { deliver, storeJob } from "../../support/run-worker.ts";
import { addDocuments, give, newOrganization, onDocument, onOne, organizationId } from "../../support/workspace.ts";

const workspace = "purge-test";
const dataOf = (uid: string, of = workspace) => ({ workspace: of, documentUid: uid as DocumentUid });
const under = (...uids: string[]) => ({ partitions: uids.map((uid) => documentDataPartition(dataOf(uid))) });
const countIn = async (uid: string, of = workspace) =>
  (await Array.fromAsync(Table.all({ pk: documentDataPartition(dataOf(uid, of)) }))).flat().length;
const documentOf = async ({ apiKey }: Credentials) =>
  (await Document.get({ workspace: apiKey, organizationId, documentId: "d" })) as Document.Document;

/** Stores `count` items under an internal id. */
async function fill(uid: string, count: number): Promise<void> {
  const units = Array.from({ length: count }, (_, index) => ({
    writes: [Grant.onDocument(dataOf(uid), { userId: `u${index}`, generation: 0, accessRole: "viewer" })],
  }));
  await commitEach(units);
}

const stateOf = async (id: string) => (await Job.get(id))?.state;
const forever = () => Date.now() + 3_600_000;

fakeDates();
afterEach(() => void vi.restoreAllMocks());

describe("OK", () => {
  it("removes all data and grants of a deleted document, and keeps those of a document added again", async () => {
    const as: Credentials = await newOrganization();
    await addDocuments(as, undefined, "d");
    await give(as, "ann", onDocument("d"));
    const { documentUid: uid } = await documentOf(as);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    await addDocuments(as, undefined, "d");
    await give(as, "ben", onDocument("d"));
    expect(await countIn(uid, as.apiKey)).toBe(1);
    const id = await storeJob("purge", as.apiKey, { partitions: [documentDataPartition(dataOf(uid, as.apiKey))] });
    expect(await deliver(purge, [id])).toEqual([]);
    expect(await countIn(uid, as.apiKey)).toBe(0);
    expect(await onOne(as, "ben", "d")).toMatchObject({ accessRole: "editor" });
    expect(await onOne(as, "ann", "d")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("runs again after 60 seconds, for writes concurrent with the deletion, until it finds nothing", async () => {
    await fill("raced", 3);
    const id = await storeJob("purge", workspace, under("raced"));
    await deliver(purge, [id]);
    expect(await Job.get(id)).toMatchObject({ state: "waiting", dueAt: Date.now() + 60_000 });
    await fill("raced", 2);
    later(60);
    await deliver(purge, [id]);
    expect(await countIn("raced")).toBe(0);
    expect(await stateOf(id)).toBe("waiting");
    later(60);
    await deliver(purge, [id]);
    expect(await stateOf(id)).toBe("done");
  });

  it("does not run its second pass early when a message is delivered twice", async () => {
    const id = await storeJob("purge", workspace, under("twice"));
    await deliver(purge, [id]);
    await deliver(purge, [id]);
    expect(await stateOf(id)).toBe("waiting");
    await fill("twice", 1);
    later(60);
    await deliver(purge, [id]);
    expect(await countIn("twice")).toBe(0);
  });

  it("removes thousands of items over several runs when the time of one ends", async () => {
    await fill("big", 1_300);
    // A page of larger items ends at 1 MB.
    interceptStore(cutPages(500));
    let job = newJob("purge", workspace, under("big", "other"));
    let runs = 0;
    for (; runs === 0 || !job.payload.isSecondPass; runs++) {
      job = { ...job, payload: nextRunOf(await purge.run(job, Date.now() - 1)).payload };
    }
    // The engine can end a page earlier. Then there are more runs.
    expect(runs).toBeGreaterThanOrEqual(5);
    vi.restoreAllMocks();
    expect(await countIn("big")).toBe(0);
  });

  it("keeps what each run has done when no run has the time for a page of recipient lists", async () => {
    const pointer = { organizationId, documentUid: "listed" as DocumentUid, at: "2026-01-01", notificationId: "n" };
    const ref = { ...pointer, workspace };
    // Each list has 600 deletions.
    for (const prefix of ["a", "b", "c"]) {
      const recipients = numbered(300, prefix).map((userId) => ({ userId, generation: 0 }));
      await Recipients.add(ref, 1, recipients);
    }
    const lists = () => Array.fromAsync(Table.all(Recipients.recipientListEntity.range(ref)));
    const listsLeft = async () => (await lists()).flat().length;
    const id = await storeJob("purge", workspace, { partitions: [Recipients.recipientListEntity.partition(ref)] });
    const left: number[] = [];
    for (let run = 1; run <= 3; run++) {
      // Counts items and not requests: a part of a batch can be left unprocessed, and is then sent again.
      const asked = new Set<string>();
      interceptStore(({ constructor: { name }, input }) => {
        if (name !== "BatchWriteCommand") return;
        for (const each of Object.values(input.RequestItems as object).flat()) asked.add(JSON.stringify(each));
        if (asked.size > 750) throw new Error("out of time");
      });
      await deliver(purge, [id]);
      vi.restoreAllMocks();
      left.push(await listsLeft());
      later(900);
    }
    expect(left).toEqual([2, 1, 0]);
  });

  it("continues with the next partition when the time of a run ends between two", async () => {
    for (const uid of ["p1", "p2", "p3"]) await fill(uid, 1);
    let payload: Record<string, unknown> = under("p1", "p2", "p3");
    const left: number[] = [];
    while (!payload.isSecondPass) {
      payload = nextRunOf(await purge.run(newJob("purge", workspace, payload), Date.now() - 1)).payload;
      left.push((await countIn("p1")) + (await countIn("p2")) + (await countIn("p3")));
    }
    // A run that has deleted a page does not know that it was the last one, so the next run looks.
    expect(left).toEqual([2, 2, 1, 1, 0, 0]);
  });

  it("removes everything in two concurrent runs after an interruption between two pages", async () => {
    await fill("killed", 120);
    let writes = 0;
    interceptStore((command) => {
      cutPages(30)(command);
      if (command.constructor.name === "BatchWriteCommand" && ++writes > 4) throw new Error("killed");
    });
    const job = newJob("purge", workspace, under("killed"));
    await expect(purge.run(job, forever())).rejects.toThrow("killed");
    vi.restoreAllMocks();
    expect(await countIn("killed")).toBeGreaterThan(0);
    await Promise.all([purge.run(job, forever()), purge.run(job, forever())]);
    expect(await countIn("killed")).toBe(0);
  });

  it("keeps a reused notification id when the purge of the old one was interrupted", async () => {
    const as = await newOrganization();
    const addWithNotification = async () => {
      await addDocuments(as, undefined, "d");
      return addNotification(as, { notificationId: "n" });
    };
    await addWithNotification();
    const old = await documentOf(as);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    interceptStore(({ constructor: { name }, input }) => {
      if (name === "BatchWriteCommand" && JSON.stringify(input).includes('"sk":"NOTE#')) throw new Error("killed");
    });
    const job = purgeJob(as.apiKey, [documentDataPartition(dataOf(old.documentUid, as.apiKey))]);
    await expect(purge.run(job, forever())).rejects.toThrow("killed");
    vi.restoreAllMocks();
    expect((await addWithNotification()).message).toContain("is queued");
    await purge.run(job, forever());
    expect((await addNotification(as, { notificationId: "n" })).message).toContain("added before");
  });

  it("removes nothing under a longer internal id, and nothing of another workspace", async () => {
    await fill("x1", 1);
    await purge.run(newJob("purge", workspace, under("x")), forever());
    await expect(purge.run(newJob("purge", "another", under("x1")), forever())).rejects.toThrow("another");
    expect(await countIn("x1")).toBe(1);
  });
});

describe("AWS calls", () => {
  it("makes one query for each document, and one write for every 25 of its items", async () => {
    const grants = Array.from({ length: 30 }, (_, index) => {
      const grant = { userId: `${index}`, generation: 0, accessRole: "viewer" } as const;
      return Grant.documentGrantEntity.put({ ...dataOf("x", "w"), ...grant }, grant).put;
    });
    const aws = mockAws(grants);
    const partitions = ["x", "y"].map((uid) => documentDataPartition(dataOf(uid, "w")));
    await purge.run(newJob("purge", "w", { partitions }), forever());
    expect(aws.calls()).toEqual(["Query W#w#X#x", "BatchWrite", "BatchWrite", "Query W#w#X#y"]);
    aws.restore();
  });
});

/** Makes pages of at most `size` items. */
function cutPages(size: number) {
  return (command: Command) => {
    if (command.constructor.name === "QueryCommand") command.input.Limit = size;
  };
}
