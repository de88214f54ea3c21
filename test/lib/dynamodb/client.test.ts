import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { deleteAll } from "../../../lib/dynamodb/batch-write.ts";
import { ConflictError } from "../../../lib/dynamodb/retry-on-conflict.ts";
import { tryTransaction } from "../../../lib/dynamodb/transaction.ts";
import { anyValue, atMost, type Write } from "../../../lib/dynamodb/write.ts";
import { mockDynamo } from "../../support/aws/mock-dynamo.ts";

const dynamo = mockDynamo();
const key = { pk: "p", sk: "s" };
const write = (each: Write) => tryTransaction([{ writes: [each] }], []);
const writes = [
  { name: "put", command: PutCommand, make: () => write({ put: key }) },
  { name: "update", command: UpdateCommand, make: () => write({ update: key, set: { a: 1 } }) },
  { name: "delete", command: DeleteCommand, make: () => write({ delete: key }) },
  { name: "batch", command: BatchWriteCommand, make: () => deleteAll([key]) },
];
const conflict = Object.assign(new Error("conflict"), { name: "TransactionConflictException" });

describe("a lone put that fulfils its own condition", () => {
  const put = (generation: number | undefined, most: number) =>
    write({ put: { ...key, ...(generation !== undefined && { generation }) }, if: { generation: atMost(most) } });

  it("is sent without a transaction", async () => {
    dynamo.on(PutCommand).resolves({});
    for (const generation of [undefined, 1, 2]) expect(await put(generation, 2)).toEqual(new Set());
    await write({ put: { ...key, generation: 1 }, if: { generation: anyValue } });
    expect(dynamo.commandCalls(PutCommand)).toHaveLength(4);
  });

  it("returns its unit when the condition fails, and is not repeated", async () => {
    dynamo.on(PutCommand).rejects(Object.assign(new Error("failed"), { name: "ConditionalCheckFailedException" }));
    expect((await put(1, 1)).size).toBe(1);
    expect(dynamo.calls()).toHaveLength(1);
  });

  it("is sent in a transaction when a repetition would fail", async () => {
    dynamo.on(TransactWriteCommand).resolves({});
    await put(3, 2);
    await write({ put: key, if: "absent" });
    await write({ put: key, if: { generation: atMost(2), rev: undefined } });
    await write({ put: key, if: { generation: anyValue } });
    await write({ delete: key, if: { generation: atMost(2) } });
    expect(dynamo.commandCalls(TransactWriteCommand)).toHaveLength(5);
  });
});

describe.each(writes)("a lone $name that meets a transaction", ({ command, make }) => {
  const answers = () => dynamo.on(command as typeof PutCommand);

  it("is repeated, with a backoff before each repetition", async () => {
    answers().rejectsOnce(conflict).rejectsOnce(conflict).resolves({});
    await make();
    expect(dynamo.calls()).toHaveLength(3);
    expect(Math.random).toHaveBeenCalledTimes(2);
  });

  it("ends with a ConflictError after nine attempts", async () => {
    answers().rejects(conflict);
    await expect(make()).rejects.toBeInstanceOf(ConflictError);
    expect(dynamo.calls()).toHaveLength(9);
  });

  it("is not repeated after another failure, which is thrown unchanged", async () => {
    const refused = Object.assign(new Error("refused"), { name: "ValidationException" });
    answers().rejects(refused);
    await expect(make()).rejects.toBe(refused);
    expect(dynamo.calls()).toHaveLength(1);
  });
});
