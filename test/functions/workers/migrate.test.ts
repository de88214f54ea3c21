import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { migrate } from "../../../functions/workers/migrate.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { newJob } from "../../../lib/jobs/queue.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as Document from "../../../lib/store/document.ts";
import * as Grant from "../../../lib/store/grant.ts";
import { keys } from "../../../lib/store/keys.ts";
import * as Migration from "../../../lib/store/migration.ts";
import * as Owner from "../../../lib/store/owner.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { jobsOf } from "../../support/jobs.ts";
import { deliver, storeJob } from "../../support/run-worker.ts";

const organizationId = "o";
let workspace: string;
const forever = () => Date.now() + 3_600_000;
const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  workspace = `migrate-${crypto.randomUUID()}`;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pointers = (...ids: string[]) => Document.pointers(workspace, organizationId, ids);
const grantsOf = async (uid: string) => {
  const pk = keys.documentData(workspace, uid);
  const found = (await Array.fromAsync(Table.all<Grant.StoredGrant>({ pk, beginsWith: "GRANT#" }))).flat();
  return Object.fromEntries(found.map(({ userId, accessRole }) => [userId, accessRole]));
};
const give = (uid: string, userId: string, more: Partial<Grant.StoredGrant> = {}) =>
  Table.commit([Grant.onDocument(workspace, uid, { userId, life: 0, accessRole: "editor", ...more })]);

async function addDocument(documentId: string, uid: string): Promise<void> {
  const document = { documentId, uid, documentName: "D", ancestors: ["f"], createdAt: "2026-01-01T00:00:00.000Z" };
  expect(await Table.commit(Document.creation(workspace, organizationId, document, undefined))).toBe(true);
}

/** As the endpoint does; the job's id. */
async function accept(documentId: string, newDocumentId: string, uid: string): Promise<string> {
  const migrationId = `${documentId}-${newDocumentId}-${uid}`;
  const ids = { migrationId, documentId, newDocumentId, uid };
  await Table.commit([Migration.creation(workspace, organizationId, ids)]);
  return storeJob("migrate", workspace, { organizationId, migrationId });
}
const migrationOf = async (job: string) => {
  const stored = await Job.get(job);
  return Migration.get(workspace, organizationId, String(stored?.payload.migrationId));
};

describe("OK", () => {
  it("gives the document its new id, with its uid, place and fields, and leaves nothing under the old one", async () => {
    await addDocument("d", "x");
    const job = await accept("d", "e", "x");
    await deliver(migrate, [job]);
    const [old, now] = await pointers("d", "e");
    expect(old).toBeUndefined();
    expect(now).toMatchObject({ documentId: "e", uid: "x", documentName: "D", ancestors: ["f"] });
    expect(now).toMatchObject(keys.document(workspace, organizationId, "e"));
    const children = await Document.childrenOf(workspace, organizationId, "f", 10);
    expect(children.items.map(({ documentId }) => documentId)).toEqual(["e"]);
    const locators = ["d", "e"].map((id) => keys.documentLocator(workspace, id, organizationId));
    expect((await Table.getMany(locators)).map((each) => each !== undefined)).toEqual([false, true]);
    expect(await Owner.documentOf(workspace, "x")).toMatchObject({ documentId: "e" });
    expect(await migrationOf(job)).toMatchObject({ status: "completed", switchedAt: expect.any(String) });
    expect(await Job.get(job)).toMatchObject({ state: "done" });
  });

  it("is in progress from its first step on, and until the switch the old id serves and takes writes", async () => {
    await addDocument("d", "x");
    const job = await accept("d", "e", "x");
    interceptStore((command) => {
      if (command.input.TransactItems?.length > 2) throw new Error("killed");
    });
    expect(await deliver(migrate, [job])).toEqual([job]);
    vi.restoreAllMocks();
    expect(await migrationOf(job)).toMatchObject({ status: "in_progress" });
    expect((await pointers("d", "e")).map((each) => each?.uid)).toEqual(["x", undefined]);
    await give("x", "ann");
    later(60);
    await deliver(migrate, [job]);
    expect(await grantsOf("x")).toEqual({ ann: "editor" });
    expect((await pointers("d", "e")).map((each) => each?.uid)).toEqual([undefined, "x"]);
  });

  it("tells the workspace's webhooks, once", async () => {
    await Setting.update(workspace, "webhooks", { wantedEvents: ["migration.completed", "migration.failed"] });
    await addDocument("d", "x");
    const job = await accept("d", "e", "x");
    await Promise.all([deliver(migrate, [job]), deliver(migrate, [job])]);
    const [outbox, ...more] = await jobsOf({ apiKey: workspace }, "fanout");
    expect(more).toEqual([]);
    const data = { migrationId: "d-e-x", newDocumentId: "e" };
    expect(outbox?.payload.events).toEqual([
      { type: "migration.completed", workspace, organizationId, documentId: "d", data, channels: ["document:e"] },
    ]);
  });
});

describe("failed", () => {
  it.each([
    ["was deleted", async () => void (await Table.commit(removalOf("d", "x")))],
    [
      "was deleted",
      async () => {
        await Table.commit(removalOf("d", "x"));
        await addDocument("d", "another");
      },
    ],
    ["new id was added", async () => addDocument("e", "other")],
  ])("because the document %s meanwhile; nothing else changes", async (reason, happens) => {
    await addDocument("d", "x");
    const job = await accept("d", "e", "x");
    await happens();
    const before = await pointers("d", "e");
    await deliver(migrate, [job]);
    expect(await migrationOf(job)).toMatchObject({ status: "failed", reason: expect.stringContaining(reason) });
    expect(await pointers("d", "e")).toEqual(before);
    expect(await Job.get(job)).toMatchObject({ state: "done" });
  });

  it("for all but one of several that want one document, or one id, at the same time", async () => {
    await addDocument("a", "x");
    await addDocument("b", "y");
    const jobs = [await accept("a", "e", "x"), await accept("a", "f", "x"), await accept("b", "e", "y")];
    await Promise.all(jobs.map((job) => deliver(migrate, [job])));
    const ends = (await Promise.all(jobs.map(migrationOf))).map((each) => each?.status);
    const taken = (await pointers("a", "b", "e", "f")).map((each) => each?.uid);
    // Either the first wins and both others lose, or those two do not meet.
    expect([
      [
        ["completed", "failed", "failed"],
        [undefined, "y", "x", undefined],
      ],
      [
        ["failed", "completed", "completed"],
        [undefined, undefined, "y", "x"],
      ],
    ]).toContainEqual([ends, taken]);
  });

  it("also where the id is taken between the look and the switch", async () => {
    await addDocument("d", "x");
    const job = await accept("d", "e", "x");
    let isTaken = false;
    interceptStore(async (command) => {
      if (isTaken || !(command.input.TransactItems?.length > 2)) return;
      isTaken = true;
      await addDocument("e", "other");
    });
    await deliver(migrate, [job]);
    expect(await migrationOf(job)).toMatchObject({ status: "failed" });
    expect((await pointers("d", "e")).map((each) => each?.uid)).toEqual(["x", "other"]);
  });
});

describe("grants given to the new id before", () => {
  const reserve = async () => (await Document.uidsOf(workspace, organizationId, ["e"])).get("e") as string;

  it("follow the switch; the document's own stay, as do those that ended", async () => {
    await addDocument("d", "x");
    const reserved = await reserve();
    const past = { expiresAt: Math.floor(Date.now() / 1_000) - 1 };
    await Promise.all([give(reserved, "new"), give(reserved, "both"), give(reserved, "gone", past)]);
    await Promise.all([give("x", "both", { accessRole: "viewer" }), give("x", "own"), give(reserved, "back")]);
    await give("x", "back", { ...past, accessRole: "viewer" });
    const job = await accept("d", "e", "x");
    await deliver(migrate, [job]);
    expect(await migrationOf(job)).toMatchObject({ status: "completed" });
    expect(await grantsOf("x")).toEqual({ new: "editor", both: "viewer", own: "editor", back: "editor" });
    expect((await pointers("e"))[0]?.uid).toBe("x");
  });

  it("open the document neither before the switch nor where the migration fails", async () => {
    await addDocument("d", "x");
    const reserved = await reserve();
    await give(reserved, "ann");
    const job = await accept("d", "e", "x");
    await Table.commit(removalOf("d", "x"));
    await addDocument("d", "x");
    await Table.commit([{ update: keys.document(workspace, organizationId, "e"), set: { createdAt: "now" } }]);
    await deliver(migrate, [job]);
    expect(await migrationOf(job)).toMatchObject({ status: "failed" });
    expect(await grantsOf("x")).toEqual({});
    expect(await grantsOf(reserved)).toEqual({ ann: "editor" });
  });

  it("follow also when a call that began before the switch gives them after it; then the reservation is purged", async () => {
    await addDocument("d", "x");
    const reserved = await reserve();
    const job = await accept("d", "e", "x");
    await deliver(migrate, [job]);
    await give(reserved, "late");
    await deliver(migrate, [job]);
    expect(await grantsOf("x")).toEqual({});
    later(60);
    await deliver(migrate, [job]);
    expect(await grantsOf("x")).toEqual({ late: "editor" });
    const [purge] = await jobsOf({ apiKey: workspace }, "purge");
    expect(purge?.payload.partitions).toEqual([keys.documentData(workspace, reserved)]);
    expect(await Job.get(job)).toMatchObject({ state: "done" });
  });

  it("leave nothing under the uid of a document that was deleted after the switch", async () => {
    await addDocument("d", "x");
    const reserved = await reserve();
    const job = await accept("d", "e", "x");
    await deliver(migrate, [job]);
    await Table.commit(removalOf("e", "x"));
    later(60);
    await deliver(migrate, [job]);
    const [purge] = await jobsOf({ apiKey: workspace }, "purge");
    expect(purge?.payload.partitions).toEqual([reserved, "x"].map((uid) => keys.documentData(workspace, uid)));
  });

  it("follow in as many runs as the time allows, however many stay behind", async () => {
    await addDocument("d", "x");
    const reserved = await reserve();
    const users = Array.from({ length: 30 }, (_, index) => `u${index}`);
    await Promise.all(users.map((userId) => give(reserved, userId)));
    await Promise.all(users.slice(0, 10).map((userId) => give("x", userId, { accessRole: "viewer" })));
    await accept("d", "e", "x");
    interceptStore((command) => {
      if (command.constructor.name === "QueryCommand") command.input.Limit = 10;
    });
    let job = newJob("migrate", workspace, { organizationId, migrationId: "d-e-x" });
    for (let runs = 1; !job.payload.secondPassAt; runs++) {
      expect(runs).toBeLessThan(6);
      const outcome = await migrate.run(job, Date.now() - 1);
      if (outcome === "done") return expect.fail("done too early");
      job = { ...job, payload: outcome.again.payload };
    }
    expect(Object.values(await grantsOf("x")).sort()).toEqual([
      ...Array(20).fill("editor"),
      ...Array(10).fill("viewer"),
    ]);
  });
});

it("changes nothing when it wakes after its end, and nothing where the migration is gone", async () => {
  await addDocument("d", "x");
  const job = newJob("migrate", workspace, { organizationId, migrationId: "d-e-x" });
  expect(await migrate.run(job, forever())).toBe("done");
  await accept("d", "e", "x");
  await migrate.run(job, forever());
  const migration = await Migration.get(workspace, organizationId, "d-e-x");
  await addDocument("d", "y");
  await migrate.run(job, forever());
  expect((await pointers("d", "e")).map((each) => each?.uid)).toEqual(["y", "x"]);
  expect(await Migration.get(workspace, organizationId, "d-e-x")).toEqual(migration);
});

function removalOf(documentId: string, uid: string) {
  return Document.removal(workspace, organizationId, { documentId, uid, ancestors: ["f"], createdAt: "" });
}
