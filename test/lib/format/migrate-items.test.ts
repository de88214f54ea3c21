import { afterEach, describe, expect, it, vi } from "vitest";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { FormatError } from "../../../lib/format/formats.ts";
import { TakenOver } from "../../../lib/format/options.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Format from "../../../lib/store/format.ts";
import { type Command, interceptStore } from "../../support/aws/intercept-store.ts";
import {
  dataOf,
  deployed,
  documentsCount,
  end,
  format2,
  oldTable,
  once,
  reads,
  run,
  second,
  sorted,
  table,
} from "../../support/made-up-migration.ts";
import { allItems } from "../../support/scan.ts";
import { inFakeTime } from "../../support/turns.ts";

afterEach(() => void vi.restoreAllMocks());

describe("migrateItems", () => {
  it("migrates all items, then raises the oldest format of the table, and leaves no progress", async () => {
    await oldTable();
    expect(await run()).toEqual({
      state: "complete",
      from: 1,
      to: 2,
      examined: expect.any(Number),
      migrated: 2 * documentsCount,
    });
    expect(sorted(await allItems())).toEqual(sorted([...end, format2]));
    expect(await run()).toEqual({ state: "current", from: 2, to: 2, examined: 0, migrated: 0 });
  });

  it("only counts in a dry run", async () => {
    await oldTable();
    const before = await allItems();
    expect(await run({ isDryRun: true })).toEqual({
      state: "counted",
      from: 1,
      to: 2,
      examined: 3 * documentsCount + 1,
      migrated: 2 * documentsCount,
    });
    expect(await allItems()).toEqual(before);
  });

  it("opens the table while the deployed release writes the former format, and refuses older code from then on", async () => {
    await oldTable();
    await expect(run(deployed(reads(1, 1, 1)))).rejects.toThrow("The deployed release does not read format 2.");
    expect(await Format.get()).toMatchObject({ version: 1 });
    expect(await run(deployed(reads(1, 2, 1)))).toMatchObject({ state: "open" });
    expect(await Format.get()).toMatchObject({ version: 2, oldest: 1 });
    expect(await dataOf()).toEqual(sorted(table));
    await expect(Format.requireFormat(reads(1, 1, 1))).rejects.toThrow(FormatError);
    for (const code of [reads(1, 2, 1), reads(1, 2, 2)]) await Format.requireFormat(code);
    expect(await run(deployed(second))).toMatchObject({ state: "complete" });
    await expect(Format.requireFormat(reads(1, 2, 1))).rejects.toThrow(FormatError);
    for (const code of [reads(1, 2, 2), reads(2, 2, 2), reads(2, 3, 2)]) await Format.requireFormat(code);
  });

  it("is refused by code that is older than the table", async () => {
    await oldTable();
    await run();
    await expect(run({ code: reads(1, 1, 1) })).rejects.toThrow("The table has format 2, and this version knows 1.");
  });

  it("passes again until it finds no item that a call of the release before wrote", async () => {
    await oldTable();
    const late: Item = { pk: "W#w#D#late", sk: "PTR", entity: "document", documentName: "late" };
    const seen: number[] = [];
    const onPage = (pass: number) => void seen.push(pass);
    const wroteLate = once(() => commit([{ put: late }]));
    interceptStore(async ({ constructor: { name } }) => {
      if (name === "ScanCommand" && seen.length > 0) await wroteLate();
    });
    expect(await run({ ...deployed(second), onPage })).toMatchObject({
      state: "complete",
      migrated: 2 * documentsCount + 1,
    });
    expect(Math.max(...seen)).toBeGreaterThan(0);
    expect((await dataOf()).filter(({ documentName }) => documentName !== undefined)).toEqual([]);
  });

  it("keeps what running calls write between its read and its write", async () => {
    await oldTable();
    const touched = new Set<string>();
    interceptStore(async ({ constructor: { name }, input }) => {
      if (name !== "TransactWriteCommand") return;
      for (const { Update, Delete } of input.TransactItems) {
        const key = Update?.Key ?? Delete?.Key;
        if (!key || key.pk === "FORMAT" || touched.has(key.pk + key.sk)) continue;
        touched.add(key.pk + key.sk);
        await beside(key);
      }
    });
    await run();
    vi.restoreAllMocks();
    expect(touched.size).toBe(2 * documentsCount);
    const expected = end.map((item) => (item.entity === "presence" ? item : { ...item, ...changes }));
    expect(await dataOf()).toEqual(sorted(expected.map(({ revision, ...item }) => item as Item)));
  });

  it("keeps an item that a running call has moved to the new key", async () => {
    await oldTable();
    const newer: Item = { ...(end[1] as Item), accessRole: "viewer" };
    const { pk, sk } = table[1] as Item;
    const move = once(() => commit([{ put: newer }, { delete: { pk, sk } }]));
    interceptStore(async ({ constructor: { name }, input }) => {
      if (name === "TransactWriteCommand" && JSON.stringify(input).includes(`NEW#`)) await move();
    });
    await run();
    vi.restoreAllMocks();
    expect(await dataOf()).toEqual(sorted(end.map((item) => (item === end[1] ? newer : item))));
  });

  it("ends a run that another one has taken over", async () => {
    await oldTable();
    const other = once(() => run());
    interceptStore(async ({ constructor: { name }, input }) => {
      if (name === "ScanCommand" && input.Segment === 1) await other();
    });
    await expect(run()).rejects.toThrow(TakenOver);
    expect(sorted(await allItems())).toEqual(sorted([...end, format2]));
  });

  it("starts again when another release was deployed meanwhile", async () => {
    await oldTable();
    const killed = killAt((command) => command.constructor.name === "ScanCommand" && command.input.Segment === 1);
    await expect(run(deployed(second, "one"))).rejects.toThrow("killed");
    killed.restore();
    const late: Item = { pk: "W#w#D#late", sk: "PTR", entity: "document", documentName: "late" };
    await commit([{ put: late }]);
    await run(deployed(second, "two"));
    expect((await dataOf()).filter(({ documentName }) => documentName !== undefined)).toEqual([]);
  });

  it("does not close the former format when a deployment has begun since it read what is deployed", async () => {
    await oldTable();
    let isCurrent = true;
    const release = { formats: second, id: "one", isCurrent: async () => isCurrent };
    const onPage = () => {
      isCurrent = false;
    };
    await expect(run({ deployed: release, onPage })).rejects.toThrow("A deployment runs, or has run meanwhile.");
    expect(await Format.get()).toMatchObject({ version: 2, oldest: 1 });
    await expect(run({ deployed: release })).rejects.toThrow(FormatError);
    expect(await run(deployed(second, "two"))).toMatchObject({ state: "complete" });
  });

  it("stops within a pass when a deployment has begun", async () => {
    await oldTable();
    let isCurrent = true;
    const pages: number[] = [];
    const onPage = (pass: number) => {
      isCurrent = false;
      pages.push(pass);
    };
    const release = { formats: second, id: "one", isCurrent: async () => isCurrent };
    await expect(run({ deployed: release, onPage, checkMs: 0, segments: 1 })).rejects.toThrow(FormatError);
    expect(pages).toEqual([0]);
  });

  it("keeps the rate", async () => {
    await oldTable();
    vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
    const before = Date.now();
    await inFakeTime(run({ unitsPerSecond: 10 }));
    expect(Date.now() - before).toBeGreaterThan(3_000);
    vi.useRealTimers();
  });
});

describe("a run that dies at any of its requests", () => {
  it.each(["before the request", "after the request"] as const)(
    "is completed by the next one: %s",
    async (when) => {
      let at = 0;
      for (let isReached = true; isReached; at++) {
        await oldTable();
        let seen = 0;
        const killed = killAt(() => seen++ === at, when);
        const result = await run().catch((thrown: Error) => thrown.message);
        killed.restore();
        isReached = result === "killed";
        if (isReached) expect(await run(), `${when} ${at}`).toMatchObject({ to: 2 });
        expect(sorted(await allItems()), `${when} ${at}`).toEqual(sorted([...end, format2]));
      }
      expect(at).toBeGreaterThan(20);
    },
    600_000,
  );
});

const changes = { expiresAt: 7 };

/** A call that changes the item: it removes an attribute, and adds others. */
async function beside(key: { pk: string; sk: string }): Promise<void> {
  await commit([{ update: key, set: changes, remove: ["revision"] }]);
}

/** From the first request on for which `isHere` holds, every request fails, as in a process that is killed there. */
function killAt(isHere: (command: Command) => boolean, when = "before the request") {
  let isKilled = false;
  const kill = (command: Command) => {
    isKilled ||= isHere(command);
    if (isKilled) throw new Error("killed");
  };
  const dead = () => {
    if (isKilled) throw new Error("killed");
  };
  if (when === "before the request") interceptStore(kill);
  else interceptStore(dead, kill);
  return { restore: () => vi.restoreAllMocks() };
}
