import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { migrate } from "../../../functions/workers/migrate.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { jobKinds } from "../../../lib/grants.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as DocumentMetadata from "../../../lib/store/content/document-metadata.ts";
import * as Migration from "../../../lib/store/content/migration.ts";
import * as Owner from "../../../lib/store/content/owner.ts";
import { newJob } from "../../../lib/store/job.ts";
import { type DocumentUid, firstFolderUid } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockQueue } from "../../support/aws/mock-queue.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { type Migrations, newMigrations, organizationId } from "../../support/migrations.ts";
import { deliver } from "../../support/run-worker.ts";

const x = "x" as DocumentUid;
let m: Migrations;
const forever = () => Date.now() + 3_600_000;

fakeDates();
beforeEach(() => {
  m = newMigrations();
});
afterEach(() => void vi.restoreAllMocks());

describe("OK", () => {
  it("gives the document its new id, keeps its other data, and leaves nothing under the old id", async () => {
    await m.addDocument("d", "x");
    const job = await m.accept("d", "e", "x");
    await deliver(migrate, [job]);
    const [old, now] = await m.pointers("d", "e");
    expect(old).toBeUndefined();
    expect(now).toMatchObject({ documentId: "e", documentUid: "x", documentName: "D", ancestors: ["f"] });
    expect(now).toMatchObject(Document.documentEntity.key({ ...m.organization, documentId: "e" }));
    const children = await Document.pageIn({ ...m.organization, folderUid: firstFolderUid("f") }, 10);
    expect(children.items.map(({ documentId }) => documentId)).toEqual(["e"]);
    const locators = ["d", "e"].map((id) => Document.locatorEntity.key({ ...m.organization, documentId: id }));
    expect((await Table.getMany(locators)).map((each) => each !== undefined)).toEqual([false, true]);
    expect(await Owner.get(m.dataOf(x))).toMatchObject({ documentId: "e" });
    expect(await m.migrationOf(job)).toMatchObject({ status: "completed", switchedAt: expect.any(String) });
    expect(await Job.get(job)).toMatchObject({ state: "done" });
  });

  it("keeps the metadata of the document", async () => {
    await m.addDocument("d", "x");
    const [document] = await Document.getMany(m.organization, ["d"]);
    const writes = Document.change(m.organization, document as Document.Document, {
      ...(document as Document.Document),
      hasMetadata: true,
    });
    await commit([...writes, DocumentMetadata.replacement(m.dataOf(x), undefined, '{"a":1}')]);
    await deliver(migrate, [await m.accept("d", "e", "x")]);
    const [moved] = await Document.getMany(m.organization, ["e"]);
    expect(await DocumentMetadata.textsOf(m.organization, [moved])).toEqual(new Map([[x, '{"a":1}']]));
  });

  it("is in progress from its first step, and the old id stays readable and writable until the switch", async () => {
    await m.addDocument("d", "x");
    const job = await m.accept("d", "e", "x");
    interceptStore((command) => {
      if (command.input.TransactItems?.length > 2) throw new Error("killed");
    });
    expect(await deliver(migrate, [job])).toEqual([job]);
    vi.restoreAllMocks();
    expect(await m.migrationOf(job)).toMatchObject({ status: "in_progress" });
    expect(await m.uidsOf("d", "e")).toEqual(["x", undefined]);
    await m.give(x, "ann");
    later(60);
    await deliver(migrate, [job]);
    expect(await m.grantsOf(x)).toEqual({ ann: "editor" });
    expect(await m.uidsOf("d", "e")).toEqual([undefined, "x"]);
  });

  it("sends its event to the queue of events by its own grants, so that no delivery waits for the sweeper", async () => {
    const queue = mockQueue();
    for (const kind of jobKinds) {
      vi.stubEnv(`QUEUE_URL_${kind.toUpperCase()}`, migrate.grants.includes(`queue:${kind}`) ? `http://${kind}` : "");
    }
    await Setting.update({ workspace: m.workspace }, "webhooks", { wantedEvents: ["migration.completed"] });
    await m.addDocument("d", "x");
    await deliver(migrate, [await m.accept("d", "e", "x")]);
    const [outbox] = await jobsOf({ apiKey: m.workspace }, "fanout");
    expect(queue.sent()).toContainEqual({ id: outbox?.id, delaySeconds: 0 });
    vi.unstubAllEnvs();
    queue.restore();
  });

  it("sends one event to the workspace's webhooks", async () => {
    await Setting.update({ workspace: m.workspace }, "webhooks", {
      wantedEvents: ["migration.completed", "migration.failed"],
    });
    await m.addDocument("d", "x");
    const job = await m.accept("d", "e", "x");
    await Promise.all([deliver(migrate, [job]), deliver(migrate, [job])]);
    const [outbox, ...more] = await jobsOf({ apiKey: m.workspace }, "fanout");
    expect(more).toEqual([]);
    const data = { migrationId: "d-e-x", newDocumentId: "e" };
    expect(outbox?.payload.events).toEqual([
      {
        type: "migration.completed",
        workspace: m.workspace,
        organizationId,
        documentId: "d",
        data,
        channels: ["document:e"],
      },
    ]);
  });
});

describe("failed", () => {
  it.each([
    ["the document is deleted", "was deleted", () => m.removeDocument("d", x)],
    [
      "the document is deleted and added again",
      "was deleted",
      async () => {
        await m.removeDocument("d", x);
        await m.addDocument("d", "another");
      },
    ],
    ["a document is added under the new id", "new id was added", async () => m.addDocument("e", "other")],
  ])("is the status when %s before the switch, and nothing else changes", async (_name, reason, happens) => {
    await m.addDocument("d", "x");
    const job = await m.accept("d", "e", "x");
    await happens();
    const before = await m.pointers("d", "e");
    await deliver(migrate, [job]);
    expect(await m.migrationOf(job)).toMatchObject({ status: "failed", reason: expect.stringContaining(reason) });
    expect(await m.pointers("d", "e")).toEqual(before);
    expect(await Job.get(job)).toMatchObject({ state: "done" });
  });

  it("is the status of a concurrent migration that conflicts with a completed one", async () => {
    await m.addDocument("a", "x");
    await m.addDocument("b", "y");
    const jobs = [await m.accept("a", "e", "x"), await m.accept("a", "f", "x"), await m.accept("b", "e", "y")];
    await Promise.all(jobs.map((job) => deliver(migrate, [job])));
    const ends = (await Promise.all(jobs.map(m.migrationOf))).map((each) => each?.status);
    const taken = await m.uidsOf("a", "b", "e", "f");
    // Either the first migration completes and the others fail, or the first fails and the others complete.
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

  it("is the status when another document takes the new id between the read and the switch", async () => {
    await m.addDocument("d", "x");
    const job = await m.accept("d", "e", "x");
    let isTaken = false;
    interceptStore(async (command) => {
      if (isTaken || !(command.input.TransactItems?.length > 2)) return;
      isTaken = true;
      await m.addDocument("e", "other");
    });
    await deliver(migrate, [job]);
    expect(await m.migrationOf(job)).toMatchObject({ status: "failed" });
    expect(await m.uidsOf("d", "e")).toEqual(["x", "other"]);
  });
});

it("changes nothing when the job runs again after its end, or when its migration is missing", async () => {
  await m.addDocument("d", "x");
  const job = newJob("migrate", m.workspace, { organizationId, migrationId: "d-e-x" });
  expect(await migrate.run(job, forever())).toBe("done");
  await m.accept("d", "e", "x");
  await migrate.run(job, forever());
  const migration = await Migration.get({ ...m.organization, migrationId: "d-e-x" });
  await m.addDocument("d", "y");
  await migrate.run(job, forever());
  expect(await m.uidsOf("d", "e")).toEqual(["y", "x"]);
  expect(await Migration.get({ ...m.organization, migrationId: "d-e-x" })).toEqual(migration);
});
