import { expect, it } from "vitest";
import { formats } from "../../../lib/format/formats.ts";
import { migrated } from "../../../lib/format/migrated.ts";
import { itemMigrations } from "../../../lib/format/registry.ts";
import { duePartition, failedPartition } from "../../../lib/jobs/job.ts";
import { entities } from "../../../lib/store/entities.ts";
import { webhookEndpointEntity } from "../../../lib/store/webhook-endpoint.ts";

it("the formats are in order: a release that reads a format is deployed before one that writes it", () => {
  const { oldestRead, written, newestRead } = formats;
  expect(oldestRead).toBeLessThanOrEqual(written);
  expect(written).toBeLessThanOrEqual(newestRead);
});

it("each migration is of an entity, and leads to a format that this code reads", () => {
  const names = entities.map(({ name }) => name);
  for (const { to, entity } of itemMigrations) {
    expect(names).toContain(entity);
    expect(to).toBeGreaterThan(1);
    expect(to).toBeLessThanOrEqual(formats.newestRead);
  }
});

it("format 2 has webhook endpoints in a partition of their own", () => {
  const endpoint = { entity: webhookEndpointEntity.name, id: "ep#1", url: "https://example.com" };
  const former = { pk: "W#w", sk: "HOOK#ep%231", ...endpoint };
  const { pk, sk } = webhookEndpointEntity.key({ workspace: "w", endpointId: "ep#1" });
  expect(migrated(former, itemMigrations)).toEqual([{ ...endpoint, pk, sk }]);
  expect(migrated({ pk, sk, ...endpoint }, itemMigrations)).toBeUndefined();
});

it("format 2 has jobs that are not done in the index by which the sweeper finds them", () => {
  const [id, workspace] = ["j", "w"];
  const job = { pk: "JOB#j", sk: "JOB", entity: "job", id, workspace, dueAt: 7, payload: {} };
  for (const state of ["waiting", "running"]) {
    const moved = { ...job, state, due: duePartition({ id, workspace }), sweepAt: 7 };
    expect(migrated({ ...job, state, due: "3" }, itemMigrations)).toEqual([moved]);
    expect(migrated(moved, itemMigrations)).toBeUndefined();
    // A call of the release before has put it there again.
    expect(migrated({ ...moved, due: "3", sweepAt: 5 }, itemMigrations)).toEqual([moved]);
  }
  const failed = { ...job, state: "failed", due: failedPartition({ workspace }), sweepAt: 7 };
  expect(migrated({ ...job, state: "failed", due: "failed" }, itemMigrations)).toEqual([failed]);
  expect(migrated({ ...job, state: "done" }, itemMigrations)).toBeUndefined();
});
