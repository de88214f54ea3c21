import { BatchGetCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import { expect, it } from "vitest";
import { handler, permissionsGet } from "../../../functions/access/permissions-get.ts";
import type { Key } from "../../../lib/dynamodb/key.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { must } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import * as f from "../../support/workspace.ts";

const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
const roundTrips = () => logs().findLast(({ endpoint }) => endpoint === "permissions-get")?.roundTrips;

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
  expect(roundTrips()).toBeLessThanOrEqual(3 + 10 + Math.ceil((10 * 1_050) / 100));
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
