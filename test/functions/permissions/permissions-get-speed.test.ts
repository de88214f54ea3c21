import { BatchGetCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { handler, permissionsGet } from "../../../functions/permissions/permissions-get.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Key } from "../../../lib/dynamodb/key.ts";
import { folderGrantEntity, folderGranteeEntity } from "../../../lib/store/access/grant.ts";
import { documentEntity } from "../../../lib/store/content/document.ts";
import { folderEntity } from "../../../lib/store/content/folder.ts";
import { type DocumentUid, firstFolderUid } from "../../../lib/store/refs.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, must } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { turns } from "../../support/turns.ts";
import * as f from "../../support/workspace.ts";

const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const lastCall = () => logs().findLast(({ endpoint }) => endpoint === "permissions-get") ?? {};
const roundTrips = () => lastCall().roundTrips;

/** A workspace whose organization `o` has 1,000 documents in 50 folders. */
async function withDocuments() {
  const as = await f.newOrganization();
  const folders = numbered(50, "f");
  await f.addFolders(as, ...folders.map((folderId) => ({ folderId })));
  for (const folder of folders) await f.addDocuments(as, folder, ...numbered(20, `${folder}-d`));
  return { as, documentIds: folders.flatMap((folder) => numbered(20, `${folder}-d`)) };
}

it("reads 1,000 documents in 50 folders in at most 26 calls for 1 user, and in batches for 10 users", async () => {
  const { as, documentIds } = await withDocuments();
  await f.give(as, "u0", f.onFolder("f0"), f.onDocument("f49-d19"));
  const one = await f.permissionsOf(as, { userIds: ["u0"], documentIds });
  const held = Object.entries(one.u0.documents as Record<string, object>).filter(([, each]) => "accessRole" in each);
  expect(held).toHaveLength(21);
  expect(roundTrips()).toBeLessThanOrEqual(26);
  await must(permissionsGet, { as, data: { organizationId: "o", userIds: numbered(10, "u"), documentIds } });
  // The subjects, the folders, the grants on documents, and one query for the folder grants of each user.
  expect(lastCall()).toMatchObject({ roundTrips: 11 + 1 + 100 + 10, readUnits: expect.any(Number) });
  expect(lastCall().readUnits).toBeLessThanOrEqual(1_100 + 10_000 + 10);
});

describe("folders above the resources", () => {
  /** Ten documents, each below a chain of 32 folders of its own, as stored. */
  async function deep() {
    const as = await f.newOrganization();
    const ref = { workspace: as.apiKey, organizationId: "o" };
    const documentIds = numbered(10, "d");
    const rows = documentIds.map((documentId) => {
      const ancestors = numbered(32, `${documentId}-f`);
      const attributes = { organizationId: "o", documentId, documentUid: documentId as DocumentUid, createdAt: "now" };
      return documentEntity.put({ ...ref, documentId }, { ...attributes, ancestors });
    });
    const folders = documentIds.flatMap((documentId) => numbered(32, `${documentId}-f`));
    const attributes = { organizationId: "o", ancestors: [], createdAt: "now" };
    await putAll([
      ...rows,
      ...folders.map((folderId) => folderEntity.put({ ...ref, folderId }, { ...attributes, folderId })),
    ]);
    return { as, ref, documentIds };
  }

  const grant = { generation: 0, accessRole: "viewer", organizationId: f.organizationId } as const;
  const on = (folderId: string) => ({ organizationId: f.organizationId, folderUid: firstFolderUid(folderId) });
  const granted = (ref: { workspace: string }, userId: string, folderId: string) =>
    folderGrantEntity.put({ ...ref, ...on(folderId), userId }, { ...grant, ...on(folderId), userId });
  const listed = (ref: { workspace: string }, userId: string, folderId: string) =>
    folderGranteeEntity.put({ ...ref, ...on(folderId), userId }, { userId });

  async function rolesOf(as: Credentials, userIds: string[], documentIds: string[]): Promise<string[]> {
    const found = await f.permissionsOf(as, { userIds, documentIds });
    const roles = Object.entries(found as Record<string, { documents: object }>).flatMap(([userId, { documents }]) =>
      Object.entries(documents as Record<string, { accessRole?: string }>).flatMap(([id, { accessRole }]) =>
        accessRole ? [`${userId} ${id} ${accessRole}`] : [],
      ),
    );
    return roles.sort();
  }

  it("cost one query for each of 150 users, and none of their grants is missed", async () => {
    const { as, ref, documentIds } = await deep();
    // The 700 come before the folders of the documents.
    const many = numbered(700, "before").map((folderId) => granted(ref, "u1", folderId));
    await putAll([granted(ref, "u0", "d3-f31"), ...many, granted(ref, "u1", "zz"), granted(ref, "u1", "d9-f5")]);
    expect(await rolesOf(as, numbered(150, "u"), documentIds)).toEqual(["u0 d3 viewer", "u1 d9 viewer"]);
    // The credentials, the subjects, 320 folders, the grants on each document, those of each user, and 320 keys for
    // `u1`: the first page of its grants has none of them.
    expect(lastCall()).toMatchObject({ roundTrips: 1 + 2 + 4 + 10 + 150 + 4 });
    expect(lastCall().readUnits).toBeLessThan(320 + 700);
  });

  it("cost one query each for 1,000 users, where ten documents have 32 of them each", async () => {
    const { as, ref, documentIds } = await deep();
    // The second entry has outlived its grant.
    await putAll([granted(ref, "u7", "d3-f31"), listed(ref, "u7", "d3-f31"), listed(ref, "u8", "d3-f31")]);
    await putAll([granted(ref, "u999", "d9-f0"), listed(ref, "u999", "d9-f0")]);
    const userIds = numbered(1_000, "u");
    expect(await rolesOf(as, userIds, documentIds)).toEqual(["u7 d3 viewer", "u999 d9 viewer"]);
    // The credentials, 1,010 subjects, 320 folders, the grants on each document, the users of each folder, and three
    // grants.
    const readUnits = 4 + 1_011 + 320 + 10 + 320 + 4;
    expect(lastCall()).toMatchObject({ roundTrips: 1 + 11 + 4 + 10 + 320 + 1, readUnits });
  });

  it("cost about a key each for users of whom few are in a long list", async () => {
    const { as, ref, documentIds } = await deep();
    const others = numbered(500, "other").flatMap((userId) => [listed(ref, userId, "d0-f0")]);
    await putAll([...others, granted(ref, "u7", "d0-f0"), listed(ref, "u7", "d0-f0")]);
    expect(await rolesOf(as, numbered(50, "u"), documentIds.slice(0, 1))).toEqual(["u7 d0 viewer"]);
    // The 51 subjects, the 32 folders, the grants on the document, the users of each folder, and 50 grants that the long
    // list left open.
    expect(lastCall()).toMatchObject({ roundTrips: 1 + 1 + 1 + 1 + 32 + 1 });
    expect(lastCall().readUnits).toBeLessThan(4 + 52 + 32 + 1 + 32 + 50 + 5);
  });
});

it("sends its AWS calls in three waves", async () => {
  const documentIds = numbered(1_000, "d");
  const documents = documentIds.map((id, index) => f.mockedDocument(id, { ancestors: [`f${index % 50}`] }));
  const aws = mockAws([...f.mocked.rows, ...documents]);
  const rows = new Map([...f.mocked.rows, ...documents].map((row) => [`${row.pk} ${row.sk}`, row]));
  // A wave is all calls that are sent before the first of them returns. No call returns before some turns are over.
  let waves = 0;
  let wave: Promise<void> | undefined;
  const counted = async () => {
    if (!wave) {
      waves += 1;
      wave = turns();
    }
    const own = wave;
    await own;
    if (wave === own) wave = undefined;
  };
  aws.dynamo.on(GetCommand).callsFake(async ({ Key }) => {
    await counted();
    return { Item: rows.get(`${Key.pk} ${Key.sk}`) };
  });
  aws.dynamo.on(BatchGetCommand).callsFake(async ({ RequestItems }) => {
    await counted();
    const [table, { Keys }] = Object.entries(RequestItems)[0] as [string, { Keys: Key[] }];
    return { Responses: { [table]: Keys.flatMap(({ pk, sk }) => rows.get(`${pk} ${sk}`) ?? []) } };
  });
  const data = { organizationId: "o", userIds: ["u"], documentIds };
  expect(await f.callSource(handler, permissionsGet, data)).toBe(200);
  expect(waves).toBe(3);
  expect(aws.calls().length).toBeLessThanOrEqual(26);
  aws.restore();
});
