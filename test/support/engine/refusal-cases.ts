// What DynamoDB refuses, in its own words. The cases run wherever the cases of the store run.
import { BatchWriteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { onTable, send } from "../../../lib/dynamodb/client.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { commit } from "../../../lib/jobs/commit.ts";

const invalid = "One or more parameter values were invalid: ";
const notValid = "One or more parameter values are not valid. ";
const startInvalid = "The provided starting key is invalid";
const tooLong = (bytes: 1025 | 2049) => "é".repeat((bytes - 1) / 2).concat("x");
const cannotBeEmpty = "The AttributeValue for a key attribute cannot contain an empty string value. ";
const emptyKey = (name: string) => `${notValid}${cannotBeEmpty}Key: ${name}`;
const emptyInIndex = `${notValid}A value specified for a secondary index key is not supported. ${cannotBeEmpty}IndexName: sweep, IndexKey: due`;
const hashTooLong = `${invalid}Size of hashkey has exceeded the maximum size limit of2048 bytes`;
const rangeTooLong = `${invalid}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`;
const otherPartition = "The provided starting key is outside query boundaries based on provided conditions";
const otherRange = "The provided starting key does not match the range key predicate";

const key = { pk: "refused", sk: "b" };
const put = (item: object) => new PutCommand({ ...onTable(), Item: { ...key, ...item } });
const set = (name: string, value: unknown) =>
  new UpdateCommand({
    ...onTable(),
    Key: key,
    UpdateExpression: "SET #name = :value",
    ExpressionAttributeNames: { "#name": name },
    ExpressionAttributeValues: { ":value": value },
  });
/** `values` are the values of `:a`, `:b` and so on in the condition. */
const query = (condition: string, values: unknown[], more: object = {}) =>
  new QueryCommand({
    ...onTable(),
    KeyConditionExpression: condition,
    ExpressionAttributeValues: Object.fromEntries(values.map((value, index) => [`:${"abc"[index]}`, value])),
    ...more,
  });
const after = (ExclusiveStartKey: object) => ({ ExclusiveStartKey });
const inIndex = { IndexName: "sweep" };
const due = { due: "d", sweepAt: 1 };

const refused: [what: string, command: () => object, message: string][] = [
  ["an empty name", () => put({ "": 1 }), "Empty attribute name"],
  ["an empty name in a list of a map", () => put({ a: { b: [1, { "": 1 }] } }), "Empty attribute name"],
  ["an update of an empty name", () => set("", 1), "Empty attribute name"],
  ["an update with an empty name in its value", () => set("a", { b: { "": 1 } }), "Empty attribute name"],
  [
    "an empty name in a batch",
    () =>
      new BatchWriteCommand({
        RequestItems: { [onTable().TableName]: [{ PutRequest: { Item: { ...key, a: { "": 1 } } } }] },
      }),
    "Empty attribute name",
  ],
  ["a put of an empty key", () => put({ sk: "" }), emptyKey("sk")],
  ["a read of an empty key", () => new GetCommand({ ...onTable(), Key: { pk: "", sk: "b" } }), emptyKey("pk")],
  [
    "a read of a key with another attribute",
    () => new GetCommand({ ...onTable(), Key: { ...key, a: 1 } }),
    "The provided key element does not match the schema",
  ],
  ["a put of a long sort key", () => put({ sk: tooLong(1025) }), rangeTooLong],
  ["a put of a long partition key", () => put({ pk: tooLong(2049) }), hashTooLong],
  ["a put of an empty key of the index", () => put({ ...due, due: "" }), emptyInIndex],
  ["a query of an empty partition key", () => query("pk = :a", [""]), emptyKey("pk")],
  ["a query of a long partition key", () => query("pk = :a", [tooLong(2049)]), hashTooLong],
  ["a query above an empty sort key", () => query("pk = :a AND sk > :b", ["p", ""]), emptyKey("sk")],
  ["a query of an empty prefix", () => query("pk = :a AND begins_with(sk, :b)", ["p", ""]), emptyKey("sk")],
  ["a query up to a long sort key", () => query("pk = :a AND sk <= :b", ["p", tooLong(1025)]), rangeTooLong],
  [
    "a query to a long sort key",
    () => query("pk = :a AND sk BETWEEN :b AND :c", ["p", "a", tooLong(1025)]),
    rangeTooLong,
  ],
  ["a query of an empty key of the index", () => query("due = :a", [""], inIndex), emptyInIndex],
  [
    "a query from a higher to a lower sort key",
    () => query("pk = :a AND sk BETWEEN :b AND :c", ["p", "b", "a"]),
    "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}",
  ],
  ["a start in another partition", () => query("pk = :a", ["p"], after(key)), otherPartition],
  [
    "a start in another partition, in the range",
    () => query("pk = :a AND sk > :b", ["p", "a"], after(key)),
    otherRange,
  ],
  ["a start at an excluded end", () => query("pk = :a AND sk > :b", [key.pk, "b"], after(key)), otherRange],
  ["a start above the range", () => query("pk = :a AND sk <= :b", [key.pk, "a"], after(key)), otherRange],
  ["a start without the prefix", () => query("pk = :a AND begins_with(sk, :b)", [key.pk, "a"], after(key)), otherRange],
  [
    "a start beside the range",
    () => query("pk = :a AND sk BETWEEN :b AND :c", [key.pk, "c", "d"], after(key)),
    otherRange,
  ],
  ["a start without a sort key", () => query("pk = :a", ["p"], after({ pk: "p" })), startInvalid],
  ["a start with more than a key", () => query("pk = :a", [key.pk], after({ ...key, a: 1 })), startInvalid],
  [
    "a start in the index without its keys",
    () => query("due = :a", ["d"], { ...inIndex, ...after(key) }),
    startInvalid,
  ],
  [
    "a start in another partition of the index",
    () => query("due = :a", ["e"], { ...inIndex, ...after({ ...key, ...due }) }),
    otherPartition,
  ],
  [
    "a start outside of the range of the index",
    () => query("due = :a AND sweepAt < :b", ["d", 1], { ...inIndex, ...after({ ...key, ...due }) }),
    otherRange,
  ],
];

export function refusalCases(): void {
  describe("a request is refused and changes nothing", () => {
    it.each(refused)("with %s", async (_, command, message) => {
      await expect(send(command(), "write")).rejects.toMatchObject({ name: "ValidationException", message });
      expect(await Table.get(key)).toBeUndefined();
    });

    it("in a transaction with an empty name", async () => {
      const writes = [{ put: { ...key, sk: "a" } }, { put: { ...key, a: { "": 1 } } }];
      await expect(commit(writes)).rejects.toThrow("Empty attribute name");
      expect(await Table.get({ ...key, sk: "a" })).toBeUndefined();
    });
  });

  it("texts that look like an empty name are stored, and a start can be any key of the range", async () => {
    const range = { pk: "kept", sk: "b" };
    const item = { ...range, 'a"': '{"":', b: ',"":1', c: "", "#d": "" };
    await commit([{ put: item }]);
    expect(await Table.get(range)).toEqual(item);
    for (const more of [
      { after: "a" },
      { beginsWith: "b", after: "b", isDescending: true },
      { upTo: "b", after: "b" },
    ]) {
      const { items } = await Table.query({ pk: "kept", ...more });
      expect(items).toEqual("beginsWith" in more || "upTo" in more ? [] : [item]);
    }
  });
}
