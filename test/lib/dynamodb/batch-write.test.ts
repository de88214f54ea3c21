import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, expectTypeOf, it } from "vitest";
import { deleteAll, putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Key } from "../../../lib/dynamodb/key.ts";
import { folderGranteeEntity } from "../../../lib/store/access/grant.ts";
import { firstFolderUid } from "../../../lib/store/refs.ts";
import { keysOf, mockDynamo, tableName } from "../../support/aws/mock-dynamo.ts";

const dynamo = mockDynamo();

describe("putAll", () => {
  it("puts the items of many writes in one request, and sends the unprocessed ones again", async () => {
    dynamo
      .on(BatchWriteCommand)
      .resolvesOnce({ UnprocessedItems: { [tableName()]: [{ PutRequest: { Item: { pk: "p", sk: "1" } } }] } })
      .resolves({});
    await putAll(keysOf(2).map((put) => ({ put })));
    const requests = dynamo
      .commandCalls(BatchWriteCommand)
      .map(({ args }) => args[0].input.RequestItems?.[tableName()]);
    const putsOf = (sks: string[]) => sks.map((sk) => ({ PutRequest: { Item: { pk: "p", sk } } }));
    expect(requests).toEqual([putsOf(["0", "1"]), putsOf(["1"])]);
  });

  it("takes no write with a condition, since a batch would drop it", () => {
    const ref = { folderUid: firstFolderUid("f"), workspace: "w", organizationId: "o", userId: "u" };
    const put = folderGranteeEntity.put(ref, ref, "absent");
    expectTypeOf(folderGranteeEntity.put(ref, ref)).toExtend<Parameters<typeof putAll>[0][number]>();
    expectTypeOf(put).not.toExtend<Parameters<typeof putAll>[0][number]>();
    expectTypeOf<{ delete: Key }>().not.toExtend<Parameters<typeof deleteAll>[0][number]>();
  });
});

describe("deleteAll", () => {
  it("deletes 25 items per request, and sends the unprocessed ones again", async () => {
    let throttled = 1;
    dynamo.on(BatchWriteCommand).callsFake(async ({ RequestItems }) => {
      const requests = RequestItems[tableName()];
      return throttled-- > 0 ? { UnprocessedItems: { [tableName()]: requests.slice(20) } } : {};
    });
    await deleteAll(keysOf(30));
    const sizes = dynamo
      .commandCalls(BatchWriteCommand)
      .map(({ args }) => args[0].input.RequestItems?.[tableName()]?.length);
    expect(sizes.sort()).toEqual([25, 5, 5]);
  });

  it("deletes a repeated key once, since DynamoDB refuses a batch that repeats a key", async () => {
    dynamo.on(BatchWriteCommand).resolves({});
    await deleteAll([...keysOf(2), { ...keysOf(1)[0], attribute: 1 } as never]);
    const [call] = dynamo.commandCalls(BatchWriteCommand);
    expect(call?.args[0].input.RequestItems?.[tableName()]).toEqual(
      keysOf(2).map((Key) => ({ DeleteRequest: { Key } })),
    );
  });
});
