// Writes that keep the former format while a migration runs (DECISIONS.md#table-format).
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { FormatError } from "../../../lib/format/formats.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import {
  dataOf,
  deployed,
  end,
  format2,
  migrations,
  oldTable,
  once,
  run,
  second,
  sorted,
  table,
} from "../../support/made-up-migration.ts";

const pause = vi.hoisted(() => vi.fn<(milliseconds: number) => Promise<void>>());
vi.mock(import("../../../lib/concurrency.ts"), async (original) => ({ ...(await original()), pause }));
afterEach(() => void vi.restoreAllMocks());

describe("a write of the release before to a migrated item", () => {
  /** What the table has for the key after such a write, which comes between two passes. */
  async function afterWrite(writes: Parameters<typeof commit>[0]): Promise<Item[]> {
    await oldTable();
    const write = once(() => commit(writes));
    let scans = 0;
    interceptStore(async ({ constructor: { name }, input }) => {
      const isStart = name === "ScanCommand" && input.Segment === 0 && !input.ExclusiveStartKey;
      if (isStart && ++scans === 2) await write();
    });
    expect(await run(deployed(second))).toMatchObject({ state: "complete" });
    vi.restoreAllMocks();
    return dataOf();
  }

  it("remains when it changes attributes of the former form", async () => {
    const [{ pk, sk } = expect.fail()] = table;
    const found = await afterWrite([{ update: { pk, sk }, set: { documentName: "renamed" } }]);
    expect(found).toEqual(sorted(end.map((item, index) => (index === 0 ? { ...item, names: ["renamed"] } : item))));
  });

  it("remains when it is under the former key", async () => {
    const put = { ...(table[1] as Item), accessRole: "viewer" };
    const found = await afterWrite([{ put }]);
    const expected = end.map((item, index) => (index === 1 ? { ...item, accessRole: "viewer" } : item));
    expect(found).toEqual(sorted(expected));
  });

  it("does not undo a change of the item under the new key that a call makes meanwhile", async () => {
    const { pk, sk } = end[1] as Item;
    const change = once(() => commit([{ update: { pk, sk }, set: { expiresAt: 7 } }]));
    await oldTable();
    await run();
    await commit([{ put: { ...(table[1] as Item), accessRole: "viewer" } }, { put: { ...format2, oldest: 1 } }]);
    interceptStore(async ({ constructor: { name }, input }) => {
      if (name === "TransactWriteCommand" && JSON.stringify(input).includes("NEW#")) await change();
    });
    const join = (moved: Item, present: Item) => ({ ...present, ...moved });
    await run({ migrations: migrations.map((each) => ({ ...each, merge: join })) });
    vi.restoreAllMocks();
    const expected = end.map((item, index) => (index === 1 ? { ...item, accessRole: "viewer", expiresAt: 7 } : item));
    expect(await dataOf()).toEqual(sorted(expected));
  });
});

it("reads no item before the calls of the release before have ended, nor after a deployment that began then", async () => {
  await oldTable();
  const events: unknown[] = [];
  pause.mockImplementation(async (milliseconds) => void events.push(milliseconds));
  interceptStore(({ constructor: { name } }) => void (name === "ScanCommand" && events.push(name)));
  await run({ ...deployed(second), graceMs: 60_000 });
  expect(events.slice(0, 2)).toEqual([60_000, "ScanCommand"]);
  await oldTable();
  events.length = 0;
  const isCurrent = async () => events.length === 0;
  const release = { formats: second, id: "one", isCurrent };
  await expect(run({ deployed: release, graceMs: 60_000 })).rejects.toThrow(FormatError);
  expect(events).toEqual([60_000]);
});
