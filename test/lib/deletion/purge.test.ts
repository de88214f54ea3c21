import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { purge } from "../../../functions/workers/purge.ts";
import { descendantsOf, emptyPartition } from "../../../lib/deletion/purge.ts";
import { purgeJob } from "../../../lib/deletion/purge-job.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { commit, commitEach } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { documentGrantEntity } from "../../../lib/store/access/grant.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { locationNodeEntity, mergedLocationEntity } from "../../../lib/store/content/location.ts";
import { editorContentEntity, editorStatePartEntity } from "../../../lib/store/crdt/crdt.ts";
import * as Domain from "../../../lib/store/domain.ts";
import { entities } from "../../../lib/store/entities.ts";
import { featureEntity } from "../../../lib/store/features/feature.ts";
import { participationEntity } from "../../../lib/store/features/participation.ts";
import { formatEntity } from "../../../lib/store/format.ts";
import { addressKeyEntity } from "../../../lib/store/messages/address-hash.ts";
import { addressCountEntity } from "../../../lib/store/messages/message-count.ts";
import { bouncedAddressEntity } from "../../../lib/store/messages/suppression.ts";
import { actedEntryEntity, inboxEntryEntity } from "../../../lib/store/notifications/inbox.ts";
import { notificationEntity, notificationPointerEntity } from "../../../lib/store/notifications/notification.ts";
import { recipientListEntity } from "../../../lib/store/notifications/recipients.ts";
import { presenceEntity } from "../../../lib/store/presence.ts";
import {
  type DocumentDataRef,
  type DocumentUid,
  documentDataPartition,
  type LocationUid,
  workspacePartition,
} from "../../../lib/store/refs.ts";
import { furnish } from "../../support/furnished-table.ts";
import fc from "../../support/property.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";

const organizationId = "o";
const at = "2026-01-01T00:00:00.000Z";
const users = ["u", "v#", "🦜"];

const id = fc.constantFrom("a", "b#1");
const index = fc.nat(2);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("add" as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), id }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("write" as const), id, kind: fc.nat(4), a: index, b: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("purge" as const) }) },
);

/** The items that one write to a document adds. `kind` selects the write, `a` the user and `b` the location. */
function itemsOfWrite(document: DocumentDataRef, { kind, a, b }: { kind: number; a: number; b: number }): Item[] {
  const { documentUid } = document;
  const userId = users[a] as string;
  const [locationUid, other] = [b, (b + 1) % 3].map((each) => `${documentUid}-l${each}`) as [LocationUid, LocationUid];
  const writes = [usersOf, editorOf, mergedLocationOf, featureOf, notificationOf][kind]?.();
  return (writes ?? []).map(({ put }) => put);

  function usersOf() {
    return [
      documentGrantEntity.put({ ...document, userId }, { userId, generation: 0, accessRole: "viewer" }),
      presenceEntity.put({ ...document, userId }, { userId, updatedAt: at, ttl: 4_000_000_000 }),
    ];
  }

  function editorOf() {
    const ref = { ...document, editorId: userId };
    const state = Buffer.from("a");
    const life = { generation: "g", base: "b" };
    const counters = { partCount: 1, sizeBytes: 1, usedBytes: 1, waiting: 0 };
    const times = { createdAt: at, updatedAt: at };
    const content = { editorId: userId, type: "text", contentKey: "k", ...times, ...life, ...counters } as const;
    return [
      editorContentEntity.put(ref, content),
      editorStatePartEntity.put({ ...ref, ...life, part: 0 }, { state, base: "b" }),
    ];
  }

  function nodeOf(uid: LocationUid) {
    return locationNodeEntity.put(
      { ...document, locationUid: uid },
      { documentUid, locationUid: uid, size: 1, rev: "r" },
    );
  }

  function mergedLocationOf() {
    const merged = { documentUid, locationUid: other, size: 1 };
    return [
      nodeOf(locationUid),
      nodeOf(other),
      mergedLocationEntity.put({ ...document, locationUid, mergedUid: other }, merged),
    ];
  }

  function featureOf() {
    const name = { documentUid, locationUid, kind: "comments", id: userId } as const;
    const written = { position: at, writtenAt: at, rev: "r" };
    const feature = { ...name, ...written, organizationId, at, participants: users, record: "{}" };
    const ref = { ...document, ...name, organizationId, at };
    return [
      nodeOf(locationUid),
      featureEntity.put(ref, feature),
      ...users.map((each) => participationEntity.put({ ...ref, userId: each }, name)),
    ];
  }

  function notificationOf() {
    const pointer = { organizationId, documentUid, at, notificationId: `${documentUid}-${userId}` };
    const ref = { ...document, ...pointer };
    return [
      notificationEntity.put(ref, {
        ...pointer,
        documentId: "d",
        content: JSON.stringify({ actionUser: { userId: "a" } }),
      }),
      actedEntryEntity.put({ ...ref, userId: "a" }, { ...pointer, userId: "a" }),
      notificationPointerEntity.put(ref, pointer),
      recipientListEntity.put({ ...ref, listHash: String(b) }, { ...pointer, userIds: users }),
      ...users.map((each) =>
        inboxEntryEntity.put({ ...ref, userId: each }, { ...pointer, userId: each, characters: 2 }),
      ),
    ];
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const nameOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`;

async function runPurges(ids: string[], passes: number): Promise<void> {
  for (let pass = 0; pass < passes; pass++) {
    vi.setSystemTime(Date.now() + 120_000);
    await deliver(purge, ids);
  }
}

// Documents are added, deleted, added again under the same id, and purged, in random order. A model holds the items that
// must exist, and the table must have exactly these items.
it("the purge worker removes every item of deleted documents, and none of documents added again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const w = `purge-${crypto.randomUUID()}`;
      const live = new Map<string, { document: Document.Document; items: Set<string> }>();
      const purges: string[] = [];
      for (const [count, each] of steps.entries()) {
        if (each.do === "purge") await runPurges(purges, 1);
        if (each.do === "purge") continue;
        const known = live.get(each.id);
        if (each.do === "add" && !known) {
          const documentUid = `uid${count}` as DocumentUid;
          const document = { documentId: each.id, documentUid, ancestors: [], createdAt: at };
          const writes = Document.creation({ workspace: w, organizationId }, document, undefined);
          expect(await commit(writes)).toBe(true);
          live.set(each.id, {
            document,
            items: new Set(writes.flatMap((write) => ("put" in write ? nameOf(write.put) : []))),
          });
        }
        if (each.do === "write" && known) {
          const { documentUid } = known.document;
          const items = itemsOfWrite({ workspace: w, documentUid }, each);
          await commitEach(items.map((item) => ({ writes: [{ put: item }] })));
          for (const item of items) known.items.add(nameOf(item));
        }
        if (each.do === "remove" && known) {
          const { documentUid } = known.document;
          const job = purgeJob(w, [documentDataPartition({ workspace: w, documentUid })]);
          await commit(Document.removal({ workspace: w, organizationId }, known.document), { jobs: [job] });
          live.delete(each.id);
          purges.push(job.id);
        }
      }
      await runPurges(purges, 3);
      for (const job of purges) expect(await Job.get(job)).toMatchObject({ state: "done" });
      const remaining = (await itemsOf(w)).filter(({ pk }) => !pk.startsWith("JOB#")).map(nameOf);
      expect(remaining.sort()).toEqual([...live.values()].flatMap(({ items }) => [...items]).sort());
    }),
    { numRuns: 15 },
  );
});

it("emptyPartition refuses a partition of another workspace whose id begins with the workspace's id", async () => {
  const [workspace, other] = ["w", "w1"];
  await Domain.add({ workspace: other }, ["example.com"]);
  const before = await itemsOf(other);
  const pk = workspacePartition({ workspace: other });
  await expect(emptyPartition({ workspace }, pk, Date.now() + 60_000)).rejects.toThrow("is not a partition of w");
  expect(await itemsOf(other)).toEqual(before);
});

it("a purge job is due 60 seconds after the deletion, or after PURGE_START_SECONDS", () => {
  for (const [setting, seconds] of [
    [undefined, 60],
    ["5", 5],
  ] as const) {
    vi.stubEnv("PURGE_START_SECONDS", setting);
    expect(purgeJob("w", []).dueAt).toBe(Date.now() + seconds * 1_000);
  }
  vi.unstubAllEnvs();
});

const listedNames = entities.map(({ name }) => name);
/** Those of the table itself, and of its deployment. */
const namesOfTable = [formatEntity, addressKeyEntity, addressCountEntity, bouncedAddressEntity].map(({ name }) => name);
const namesInWorkspaces = listedNames.filter((name) => !namesOfTable.includes(name));

afterEach(() => void vi.restoreAllMocks());

describe("descendantsOf", () => {
  it.each([
    ["an unknown entity", { entity: "unknown" }],
    ["no entity", {}],
    ["an inherited property as its entity", { entity: "constructor" }],
  ])("throws for an item that names %s", (_, attributes) => {
    expect(() => descendantsOf("w", { pk: "W#w", sk: "X", ...attributes })).toThrow("no known entity");
  });

  it("builds no key from a missing attribute", async () => {
    const workspace = await furnish();
    for (const item of await itemsOf(workspace)) {
      expect(JSON.stringify(descendantsOf(workspace, item)), `${item.pk} ${item.sk}`).not.toContain("undefined");
    }
  });

  it("returns nothing outside of the workspace, whatever workspace the item names", async () => {
    const workspace = await furnish();
    for (const item of await itemsOf(workspace)) {
      expect(JSON.stringify(descendantsOf("own", { ...item, workspace: "other" }))).not.toContain("W#other");
    }
  });
});

describe("entities", () => {
  it("have unique names", () => {
    expect(listedNames.toSorted()).toEqual([...new Set(listedNames)].sort());
  });

  it("include the entity of every item in a workspace that has an item of each entity", async () => {
    const items = await itemsOf(await furnish());
    const unknown = items.filter(({ entity }) => !listedNames.includes(String(entity)));
    expect(unknown.map(({ pk, sk }) => `${pk} ${sk}`)).toEqual([]);
    expect([...new Set(items.map(({ entity }) => String(entity)))].sort()).toEqual(namesInWorkspaces.toSorted());
  });
});
