import { describe, expect, it } from "vitest";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { formats } from "../../../lib/format/formats.ts";
import { merged, migrated } from "../../../lib/format/migrated.ts";
import { itemMigrations } from "../../../lib/format/registry.ts";
import { duePartition, failedPartition } from "../../../lib/jobs/job.ts";
import { entities } from "../../../lib/store/entities.ts";
import * as Feature from "../../../lib/store/feature.ts";
import type { DocumentUid, LocationUid } from "../../../lib/store/refs.ts";
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

describe("format 3", () => {
  const at = "2026-01-02T00:00:00.000Z";
  const ref = { workspace: "w", organizationId: "o", documentUid: "x" as DocumentUid, kind: "comments" as const };
  const record = JSON.stringify({ annotationId: "a#1", createdAt: "2026-01-01T02:00:00+01:00", from: { userId: "u" } });
  /** The items of format 3 of an annotation in one location. The others have its participant. */
  function stored(location: string, id = "a#1"): Item[] {
    const place = { ...ref, locationUid: location as LocationUid, id };
    const { writes } = Feature.creation(place, { record, participants: ["u"], at });
    return writes.flatMap((write) => ("put" in write && write.put.entity !== "participation" ? [write.put] : []));
  }
  const former = ([item]: Item[]) => {
    const { position: _position, writtenAt: _writtenAt, ...rest } = item as Item;
    return rest as Item;
  };

  it("has a list of a document's feature data, and its ids", () => {
    const [item, entry, id] = stored("l");
    expect(migrated(former([item as Item]), itemMigrations)).toEqual([item, entry, id]);
    expect(entry).toMatchObject({ pk: "W#w#X#x", sk: "FEATURE#comments#2026-01-01T01:00:00.000Z#a%231#l" });
    for (const each of [item, entry, id]) expect(migrated(each as Item, itemMigrations)).toBeUndefined();
  });

  it("keeps all places of an id that several locations have", () => {
    const [one, other] = ["l", "m"].map((location) => stored(location)[2] as Item) as [Item, Item];
    const both = merged(other, one, itemMigrations);
    expect(both).toMatchObject({ pk: one.pk, sk: one.sk, places: [{ locationUid: "l" }, { locationUid: "m" }] });
    expect(merged(other, both, itemMigrations)).toEqual(both);
  });
});
