import { BatchGetCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { handler, permissionsGet } from "../../../functions/access/permissions-get.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Key } from "../../../lib/dynamodb/key.ts";
import { documentEntity } from "../../../lib/store/document.ts";
import { folderGrantEntity } from "../../../lib/store/grant.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { call, must } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { onPlainEngine } from "../../support/engine/plain.ts";
import * as f from "../../support/workspace.ts";

onPlainEngine("asserts the number of requests");

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
  // The subjects, the grants on documents, and one query for the folder grants of each user.
  expect(lastCall()).toMatchObject({ roundTrips: 11 + 100 + 10, readUnits: expect.any(Number) });
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
    await putAll(rows);
    return { as, ref, documentIds };
  }

  it("cost one query for each of 150 users, and none of their grants is missed", async () => {
    const { as, ref, documentIds } = await deep();
    const grant = { generation: 0, accessRole: "viewer", organizationId: f.organizationId } as const;
    const granted = [...numbered(450, "other")].map((folderId) => ({ userId: "u1", folderId }));
    const all = [{ userId: "u0", folderId: "d3-f31" }, ...granted, { userId: "u1", folderId: "zz" }];
    const rows = all.map(({ userId, folderId }) =>
      folderGrantEntity.put({ ...ref, userId, folderId }, { ...grant, userId, folderId }),
    );
    await putAll([
      ...rows,
      folderGrantEntity.put({ ...ref, userId: "u1", folderId: "d9-f5" }, { ...grant, userId: "u1", folderId: "d9-f5" }),
    ]);
    const found = await f.permissionsOf(as, { userIds: numbered(150, "u"), documentIds });
    const roles = Object.entries(found as Record<string, { documents: object }>).flatMap(([userId, { documents }]) =>
      Object.entries(documents as Record<string, { accessRole?: string }>).flatMap(([id, { accessRole }]) =>
        accessRole ? [`${userId} ${id} ${accessRole}`] : [],
      ),
    );
    // `u1` has more grants than one query reads, so the keys of 320 folders are read.
    expect(roles.sort()).toEqual(["u0 d3 viewer", "u1 d9 viewer"]);
    expect(lastCall()).toMatchObject({ roundTrips: 1 + 2 + 15 + 150 + 4 });
    expect(lastCall().readUnits).toBeLessThan(3_000);
  });

  it("count towards the limit of more than 150 users, so no call reads hundreds of thousands of keys", async () => {
    const { as, documentIds } = await deep();
    const { error } = await call(permissionsGet, {
      as,
      data: { organizationId: "o", userIds: numbered(1_000, "u"), documentIds },
    });
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      message: "userIds: Users times documents and the folders above them must be at most 20000. Ask for fewer users.",
    });
    expect(lastCall().roundTrips).toBeLessThanOrEqual(13);
    await f.permissionsOf(as, { userIds: numbered(476, "u"), documentIds: documentIds.slice(0, 1) });
    expect(lastCall().roundTrips).toBe(5 + 158);
  });
});

it("sends its AWS calls in three waves", async () => {
  const documentIds = numbered(1_000, "d");
  const documents = documentIds.map((id, index) => f.mockedDocument(id, { ancestors: [`f${index % 50}`] }));
  const aws = mockAws([...f.mocked.rows, ...documents]);
  const rows = new Map([...f.mocked.rows, ...documents].map((row) => [`${row.pk} ${row.sk}`, row]));
  // A wave is all calls that are sent before the first of them returns.
  let waves = 0;
  let wave: Promise<void> | undefined;
  const counted = async () => {
    if (!wave) {
      waves += 1;
      wave = new Promise((resolve) => setTimeout(resolve, 50));
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
