import { expect, it } from "vitest";
import { inCall, newCall } from "../../../lib/call.ts";
import * as Table from "../../../lib/dynamodb/table.ts";

const key = { pk: "p", sk: "s" };

it.each<[string, () => Promise<unknown>]>([
  ["get", () => Table.get(key)],
  ["getMany", () => Table.getMany([key, { ...key, sk: "t" }])],
  ["getAttributes", () => Table.getAttributes([key], ["a"])],
  ["getEventually", () => Table.getEventually(key)],
  ["query", () => Table.query({ pk: "p" })],
])("a call sees what it has read when it may: %s", async (_, read) => {
  const refusal = new Error("The call may not see it.");
  const maySee = Promise.reject(refusal);
  maySee.catch(() => {});
  await expect(inCall({ ...newCall("call"), maySee }, read)).rejects.toBe(refusal);
  await expect(inCall({ ...newCall("call"), maySee: Promise.resolve() }, read)).resolves.not.toThrow();
});
