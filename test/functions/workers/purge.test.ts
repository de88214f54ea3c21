import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/content/documents-delete.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { purgeJob } from "../../../lib/deletion/purge.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commitEach } from "../../../lib/jobs/commit.ts";
import { newJob } from "../../../lib/jobs/queue.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as Document from "../../../lib/store/document.ts";
import * as Grant from "../../../lib/store/grant.ts";
import { keys } from "../../../lib/store/keys.ts";
import { type Command, interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must } from "../../support/call.ts";
import { add as addNotification } from "../../support/notifications.ts";
import { deliver, storeJob } from "../../support/run-worker.ts";
import { addDocuments, give, newOrganization, onDocument, onOne, organizationId } from "../../support/workspace.ts";

const workspace = "purge-test";
const under = (...uids: string[]) => ({ partitions: uids.map((uid) => keys.documentData(workspace, uid)) });
const left = async (uid: string, of = workspace) =>
  (await Array.fromAsync(Table.all({ pk: keys.documentData(of, uid) }))).flat().length;

/** A document's data of `count` items. */
async function fill(uid: string, count: number): Promise<void> {
  const units = Array.from({ length: count }, (_, index) => ({
    writes: [Grant.onDocument(workspace, uid, { userId: `u${index}`, life: 0, accessRole: "viewer" })],
  }));
  await commitEach(units);
}

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);
const stateOf = async (id: string) => (await Job.get(id))?.state;
const forever = () => Date.now() + 3_600_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("OK", () => {
  it("removes all that hung from deleted documents, their grants included, and nothing of the document added again", async () => {
    const as: Credentials = await newOrganization();
    await addDocuments(as, undefined, "d");
    await give(as, "ann", onDocument("d"));
    const [old] = await Document.getMany(as.apiKey, organizationId, ["d"]);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    await addDocuments(as, undefined, "d");
    await give(as, "ben", onDocument("d"));
    const uid = old?.uid as string;
    expect(await left(uid, as.apiKey)).toBe(1);
    const id = await storeJob("purge", as.apiKey, { partitions: [keys.documentData(as.apiKey, uid)] });
    expect(await deliver(purge, [id])).toEqual([]);
    expect(await left(uid, as.apiKey)).toBe(0);
    expect(await onOne(as, "ben", "d")).toMatchObject({ accessRole: "editor" });
    expect(await onOne(as, "ann", "d")).toMatchObject({ errorCode: "permission_denied" });
  });

  it("looks again 60 seconds later for what raced the deletion, and ends when it finds nothing", async () => {
    await fill("raced", 3);
    const id = await storeJob("purge", workspace, under("raced"));
    await deliver(purge, [id]);
    expect(await Job.get(id)).toMatchObject({ state: "waiting", dueAt: Date.now() + 60_000 });
    await fill("raced", 2);
    later(60);
    await deliver(purge, [id]);
    expect(await left("raced")).toBe(0);
    expect(await stateOf(id)).toBe("waiting");
    later(60);
    await deliver(purge, [id]);
    expect(await stateOf(id)).toBe("done");
  });

  it("does not take a message that comes twice for the second pass", async () => {
    const id = await storeJob("purge", workspace, under("twice"));
    await deliver(purge, [id]);
    await deliver(purge, [id]);
    expect(await stateOf(id)).toBe("waiting");
    await fill("twice", 1);
    later(60);
    await deliver(purge, [id]);
    expect(await left("twice")).toBe(0);
  });

  it("goes through thousands of items in as many runs as its time allows", async () => {
    await fill("big", 1_300);
    // As a page of 1 MB would be cut, where items are larger.
    interceptStore(cutPages(500));
    let job = newJob("purge", workspace, under("big", "other"));
    let runs = 0;
    for (; runs === 0 || !job.payload.secondPassAt; runs++) {
      const outcome = await purge.run(job, Date.now() - 1);
      job = { ...job, payload: outcome === "done" ? expect.fail("done too early") : outcome.again.payload };
    }
    expect(runs).toBe(4);
    vi.restoreAllMocks();
    expect(await left("big")).toBe(0);
  });

  it("is safe to run twice, and to be killed between any two pages", async () => {
    await fill("killed", 120);
    let writes = 0;
    interceptStore((command) => {
      cutPages(30)(command);
      if (command.constructor.name === "BatchWriteCommand" && ++writes > 4) throw new Error("killed");
    });
    const job = newJob("purge", workspace, under("killed"));
    await expect(purge.run(job, forever())).rejects.toThrow("killed");
    vi.restoreAllMocks();
    expect(await left("killed")).toBeGreaterThan(0);
    await Promise.all([purge.run(job, forever()), purge.run(job, forever())]);
    expect(await left("killed")).toBe(0);
  });

  it("leaves a notification's id to whom has it by then, where it was killed with the old one half removed", async () => {
    const as = await newOrganization();
    const readded = async () => {
      await addDocuments(as, undefined, "d");
      return addNotification(as, { notificationId: "n" });
    };
    await readded();
    const [old] = await Document.getMany(as.apiKey, organizationId, ["d"]);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    interceptStore(({ constructor: { name }, input }) => {
      if (name === "BatchWriteCommand" && JSON.stringify(input).includes('"sk":"NOTE#')) throw new Error("killed");
    });
    const job = purgeJob(as.apiKey, [keys.documentData(as.apiKey, old?.uid as string)]);
    await expect(purge.run(job, forever())).rejects.toThrow("killed");
    vi.restoreAllMocks();
    expect((await readded()).message).toContain("will reach");
    await purge.run(job, forever());
    expect((await addNotification(as, { notificationId: "n" })).message).toContain("added before");
  });

  it("removes nothing of a uid that only begins alike, or of another workspace", async () => {
    await fill("x1", 1);
    await purge.run(newJob("purge", workspace, under("x")), forever());
    await expect(purge.run(newJob("purge", "another", under("x1")), forever())).rejects.toThrow("another");
    expect(await left("x1")).toBe(1);
  });
});

describe("AWS calls", () => {
  it("makes one query a document, and one write for 25 of its items", async () => {
    const pk = keys.documentData("w", "x");
    const aws = mockAws(Array.from({ length: 30 }, (_, index) => ({ pk, sk: `GRANT#${index}` })));
    await purge.run(
      newJob("purge", "w", { partitions: ["x", "y"].map((uid) => keys.documentData("w", uid)) }),
      forever(),
    );
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
