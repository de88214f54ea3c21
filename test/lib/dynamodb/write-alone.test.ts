import { randomUUID } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { costOf, inCall, newCall } from "../../../lib/call.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { writeAlone } from "../../../lib/dynamodb/write-alone.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";

afterEach(() => void vi.restoreAllMocks());

type Stored = { owner?: string };
const newKey = () => ({ pk: `test#${randomUUID()}`, sk: "s" });
const take = (key: { pk: string; sk: string }, owner: string) =>
  writeAlone<Stored>({ put: { ...key, owner }, if: "absent" }, (stored) => stored.owner === owner);

/** The SDK repeats a request whose reply was lost. The condition of the repeat fails. */
function loseReplies(): void {
  const repeated = { name: "ConditionalCheckFailedException", $metadata: { attempts: 2 } };
  interceptStore(
    () => {},
    ({ constructor: { name } }) => {
      if (name !== "GetCommand") throw Object.assign(new Error("The condition failed."), repeated);
    },
  );
}

it("writes once, on its condition, and costs one unit", async () => {
  const key = newKey();
  const call = newCall("call", AbortSignal.timeout(60_000));
  expect(await inCall(call, () => take(key, "first"))).toBe(true);
  expect(costOf(call)).toMatchObject({ writeUnits: 1, readUnits: 0 });
  expect(await take(key, "second")).toBe(false);
  expect(await Table.get<Stored>(key)).toMatchObject({ owner: "first" });
});

it("recognises its own write when the reply was lost", async () => {
  const key = newKey();
  loseReplies();
  expect(await take(key, "first")).toBe(true);
});

it("does not take another's write for its own when a reply was lost", async () => {
  const key = newKey();
  await take(key, "other");
  const repeated = { name: "ConditionalCheckFailedException", $metadata: { attempts: 2 } };
  interceptStore(({ constructor: { name } }) => {
    if (name !== "GetCommand") throw Object.assign(new Error("The condition failed."), repeated);
  });
  expect(await take(key, "first")).toBe(false);
});

it("throws what is no failed condition", async () => {
  interceptStore(() => {
    throw Object.assign(new Error("No."), { name: "ValidationException" });
  });
  await expect(take(newKey(), "first")).rejects.toThrow("No.");
});

it("recognises its own write when the reply was lost and the SDK's repeat met a transaction", async () => {
  const key = newKey();
  let isFirst = true;
  interceptStore(
    () => {},
    ({ constructor: { name } }) => {
      if (name !== "PutCommand" || !isFirst) return;
      isFirst = false;
      const met = { name: "TransactionConflictException", $metadata: { attempts: 2 } };
      throw Object.assign(new Error("The item is in a transaction."), met);
    },
  );
  expect(await take(key, "first")).toBe(true);
  expect(isFirst).toBe(false);
});
