// Many migrations of one document, each to an id with grants, before the first of them has ended.
import { expect, it } from "vitest";
import { migrate } from "../../../functions/workers/migrate.ts";
import { grantAccess } from "../../../lib/access/grant-access.ts";
import * as GrantUids from "../../../lib/store/access/grant-uids.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { newMigrations, organizationId } from "../../support/migrations.ts";
import { deliver } from "../../support/run-worker.ts";

fakeDates();

it("a migration waits while grants of ten earlier ones can still follow", async () => {
  const m = newMigrations();
  const ids = Array.from({ length: 12 }, (_, index) => `d${index}`);
  await GrantUids.reserve(m.organization, ids.slice(1));
  await m.addDocument("d0", "x");
  const jobs: string[] = [];
  for (const [index, id] of ids.slice(1).entries()) {
    const job = await m.accept(`d${index}`, id, "x");
    await deliver(migrate, [job]);
    jobs.push(job);
  }
  const last = jobs.at(-1) as string;
  const [now] = await m.pointers("d10");
  expect(now?.documentUid).toBe("x");
  expect(now?.waitingUids).toHaveLength(10);
  const waiting = await m.migrationOf(last);
  expect(waiting).toMatchObject({ status: "in_progress" });
  expect(waiting).not.toHaveProperty("switchedAt");

  const resources = [{ type: "document", id: "d10", organizationId } as const];
  await grantAccess({ workspace: m.workspace, userId: "ann", resources, check: Promise.resolve() });
  later(60);
  await deliver(migrate, jobs.slice(0, -1));
  later(60);
  await deliver(migrate, [last]);
  expect(await m.migrationOf(last)).toMatchObject({ status: "completed" });
  expect(await m.uidsOf("d10", "d11")).toEqual([undefined, "x"]);
  expect(await m.grantsOf("x" as DocumentUid)).toEqual({ ann: "editor" });
});

it("a migration to an id without grants does not wait", async () => {
  const m = newMigrations();
  const ids = Array.from({ length: 11 }, (_, index) => `d${index}`);
  await GrantUids.reserve(m.organization, ids.slice(1));
  await m.addDocument("d0", "x");
  for (const [index, id] of ids.slice(1).entries()) await deliver(migrate, [await m.accept(`d${index}`, id, "x")]);
  const job = await m.accept("d10", "free", "x");
  await deliver(migrate, [job]);
  expect(await m.migrationOf(job)).toMatchObject({ status: "completed" });
});
