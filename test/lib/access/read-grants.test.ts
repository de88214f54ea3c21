// The grants that `readGrants` finds, by lists or by keys, are those that are stored.
import { expect, it, vi } from "vitest";
import { readGrants, readGrantsOfUser } from "../../../lib/access/read-grants.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import * as Grant from "../../../lib/store/access/grant.ts";
import { folderGranteeEntity } from "../../../lib/store/access/grant.ts";
import { type DocumentUid, type FolderUid, firstFolderUid } from "../../../lib/store/refs.ts";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import fc from "../../support/property.ts";

const ref = { workspace: "w", organizationId: "o" };
const oddNames = ["#", "%", "🦜", "\uff5e", "__proto__", "x".repeat(256)];
const named = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}${oddNames[index] ?? index}`);

/** Sizes around those from which lists are read. */
const size = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 19, max: 60 }));

it("readGrants returns the stored grants, for any number of users, folders and documents", async () => {
  const scene = fc.record({
    ...{ users: size, folders: size, documents: fc.integer({ min: 0, max: 3 }), others: fc.constantFrom(0, 0, 200) },
    ...{ share: fc.double({ min: 0, max: 1, noNaN: true }), seed: fc.integer() },
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ users, folders, documents, others, share, seed }) => {
      newTableInMemory();
      const [userIds, folderUids] = [named(users, "u"), named(folders, "f").map(firstFolderUid)];
      const documentUids = named(documents, "d") as DocumentUid[];
      let state = seed;
      const isDrawn = () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
        return (state >>> 8) / 2 ** 24 < share;
      };
      const grantOf = (userId: string) => ({ userId, generation: 0, accessRole: "viewer" as const });
      const onFolders = userIds.flatMap((userId) =>
        [...folderUids, ...named(others / 20, "a").map(firstFolderUid)]
          .filter(isDrawn)
          .map((folderUid) => ({ userId, folderUid })),
      );
      const onDocuments = userIds.flatMap((userId) =>
        documentUids.filter(isDrawn).map((documentUid) => ({ userId, documentUid })),
      );
      const strangers = named(others, "a");
      await putAll([
        ...onFolders.flatMap(({ userId, folderUid }) => [
          Grant.folderGrantEntity.put({ ...ref, userId, folderUid }, { ...grantOf(userId), ...ref, folderUid }),
          folderGranteeEntity.put({ ...ref, folderUid, userId }, { userId }),
        ]),
        ...onDocuments.map(({ userId, documentUid }) =>
          Grant.documentGrantEntity.put({ ...ref, documentUid, userId }, grantOf(userId)),
        ),
        ...strangers.flatMap((userId) => [
          folderGranteeEntity.put({ ...ref, folderUid: folderUids[0] as FolderUid, userId }, { userId }),
          ...documentUids.map((documentUid) =>
            Grant.documentGrantEntity.put({ ...ref, documentUid, userId }, grantOf(userId)),
          ),
        ]),
      ]);
      const found = await readGrants({ ...ref, userIds, folderUids, documentUids });
      const [first = ""] = userIds;
      const ofFirst = await readGrantsOfUser({ ...ref, userIds: [first], folderUids, documentUids });
      const all = [...userIds.map((userId) => ({ userId, found })), { userId: first, found: ofFirst }];
      for (const { userId, found } of all) {
        for (const folderUid of folderUids) {
          const isStored = onFolders.some((each) => each.userId === userId && each.folderUid === folderUid);
          expect(found.onFolder(userId, folderUid)?.userId).toBe(isStored ? userId : undefined);
        }
        for (const documentUid of documentUids) {
          const isStored = onDocuments.some((each) => each.userId === userId && each.documentUid === documentUid);
          expect(found.onDocument(userId, documentUid)?.userId).toBe(isStored ? userId : undefined);
        }
      }
    }),
    { numRuns: 40 },
  );
});

it("readGrants refuses users whose lists end before the folders, with more than 10,000 keys left", async () => {
  newTableInMemory();
  const folderUids = named(400, "f").map(firstFolderUid);
  const wanted = (users: number) => ({ ...ref, userIds: named(users, "u"), folderUids, documentUids: [] });
  // A page of a user with very many grants, all on folders before these.
  atAwsEdge(async (command, send) => {
    if (command.constructor.name !== "QueryCommand") return send();
    return { Items: [], LastEvaluatedKey: { pk: "p", sk: "F#a" }, ConsumedCapacity: { CapacityUnits: 25 } };
  });
  await expect(readGrants(wanted(26))).rejects.toMatchObject({
    status: "INVALID_ARGUMENT",
    message: "userIds: These users have too many grants on folders: one call reads at most 10000. Request fewer users.",
  });
  expect((await readGrants(wanted(25))).onFolder("u0", firstFolderUid("f0"))).toBeUndefined();
  vi.restoreAllMocks();
});
