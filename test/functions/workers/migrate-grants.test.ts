// Grants on an id, stored before a migration moves a document to that id.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { migrate } from "../../../functions/workers/migrate.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import * as GrantUids from "../../../lib/store/access/grant-uids.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { newJob } from "../../../lib/store/job.ts";
import { type DocumentUid, documentDataPartition } from "../../../lib/store/refs.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf, nextRunOf } from "../../support/jobs.ts";
import { type Migrations, newMigrations, organizationId } from "../../support/migrations.ts";
import { deliver } from "../../support/run-worker.ts";

const x = "x" as DocumentUid;
let m: Migrations;

fakeDates();
beforeEach(() => {
  m = newMigrations();
});
afterEach(() => void vi.restoreAllMocks());

describe("grants on the new id before the migration", () => {
  const reserve = async () => (await GrantUids.reserve(m.organization, ["e"])).get("e")?.documentUid as DocumentUid;

  it("move to the document after the switch, unless expired or the user has an active grant on it", async () => {
    await m.addDocument("d", "x");
    const reserved = await reserve();
    const past = { expiresAt: Math.floor(Date.now() / 1_000) - 1 };
    await Promise.all([m.give(reserved, "new"), m.give(reserved, "both"), m.give(reserved, "expired", past)]);
    await Promise.all([m.give(x, "both", { accessRole: "viewer" }), m.give(x, "own"), m.give(reserved, "back")]);
    await m.give(x, "back", { ...past, accessRole: "viewer" });
    const job = await m.accept("d", "e", "x");
    await deliver(migrate, [job]);
    expect(await m.migrationOf(job)).toMatchObject({ status: "completed" });
    expect(await m.grantsOf(x)).toEqual({ new: "editor", both: "viewer", own: "editor", back: "editor" });
    expect((await m.uidsOf("e"))[0]).toBe("x");
  });

  it("replace the document's grants to an earlier generation of the user", async () => {
    await m.addDocument("d", "x");
    const reserved = await reserve();
    await m.give(x, "u", { generation: 0, accessRole: "viewer" });
    await m.give(reserved, "u", { generation: 1 });
    await deliver(migrate, [await m.accept("d", "e", "x")]);
    expect(await m.grantsOf(x)).toEqual({ u: "editor" });
  });

  it("do not replace a concurrent grant on the document", async () => {
    await m.addDocument("d", "x");
    const reserved = await reserve();
    await m.give(reserved, "u");
    const job = await m.accept("d", "e", "x");
    let isGiven = false;
    interceptStore(async ({ constructor: { name }, input }) => {
      if (isGiven || name !== "TransactWriteCommand" || !JSON.stringify(input).includes("GRANT#u")) return;
      isGiven = true;
      await m.give(x, "u", { accessRole: "viewer" });
    });
    await deliver(migrate, [job]);
    expect(isGiven).toBe(true);
    expect(await m.grantsOf(x)).toEqual({ u: "viewer" });
  });

  it("give no access to the document after a failed migration", async () => {
    await m.addDocument("d", "x");
    const reserved = await reserve();
    await m.give(reserved, "ann");
    const job = await m.accept("d", "e", "x");
    await m.removeDocument("d", x);
    await m.addDocument("d", "x");
    const taken = { ...m.organization, documentId: "e" };
    await commit([Document.documentEntity.update(taken, { set: { createdAt: "now" } })]);
    await deliver(migrate, [job]);
    expect(await m.migrationOf(job)).toMatchObject({ status: "failed" });
    expect(await m.grantsOf(x)).toEqual({});
    expect(await m.grantsOf(reserved)).toEqual({ ann: "editor" });
  });

  it("move also when an in-flight call stores them after the switch, before the reservation is purged", async () => {
    await m.addDocument("d", "x");
    const reserved = await reserve();
    const job = await m.accept("d", "e", "x");
    await deliver(migrate, [job]);
    await m.give(reserved, "late");
    await deliver(migrate, [job]);
    expect(await m.grantsOf(x)).toEqual({});
    later(60);
    await deliver(migrate, [job]);
    expect(await m.grantsOf(x)).toEqual({ late: "editor" });
    const [purge] = await jobsOf({ apiKey: m.workspace }, "purge");
    expect(purge?.payload.partitions).toEqual([documentDataPartition(m.dataOf(reserved))]);
    expect(await Job.get(job)).toMatchObject({ state: "done" });
  });

  it("have a purge job for both internal ids when the document is deleted after the switch", async () => {
    await m.addDocument("d", "x");
    const reserved = await reserve();
    const job = await m.accept("d", "e", "x");
    await deliver(migrate, [job]);
    await m.removeDocument("e", x);
    later(60);
    await deliver(migrate, [job]);
    const [purge] = await jobsOf({ apiKey: m.workspace }, "purge");
    expect(purge?.payload.partitions).toEqual([reserved, x].map((uid) => documentDataPartition(m.dataOf(uid))));
  });

  it("move over several runs when the time of one ends, also when many are not moved", async () => {
    await m.addDocument("d", "x");
    const reserved = await reserve();
    const users = Array.from({ length: 30 }, (_, index) => `u${index}`);
    await Promise.all(users.map((userId) => m.give(reserved, userId)));
    await Promise.all(users.slice(0, 10).map((userId) => m.give(x, userId, { accessRole: "viewer" })));
    await m.accept("d", "e", "x");
    interceptStore((command) => {
      if (command.constructor.name === "QueryCommand") command.input.Limit = 10;
    });
    let job = newJob("migrate", m.workspace, { organizationId, migrationId: "d-e-x" });
    for (let runs = 1; !job.payload.isSecondPass; runs++) {
      expect(runs).toBeLessThan(6);
      job = { ...job, payload: nextRunOf(await migrate.run(job, Date.now() - 1)).payload };
    }
    expect(Object.values(await m.grantsOf(x)).sort()).toEqual([
      ...Array(20).fill("editor"),
      ...Array(10).fill("viewer"),
    ]);
  });
});
