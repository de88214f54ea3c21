// What the store needs from an engine. The cases run on the table in memory, on the local engine, and in the long trial on
// an engine that disturbs.
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { inCall, newCall } from "../../../lib/call.ts";
import { deleteAll, putAll } from "../../../lib/dynamodb/batch-write.ts";
import { isBusy } from "../../../lib/dynamodb/busy.ts";
import { type Item, shardOf } from "../../../lib/dynamodb/key.ts";
import { fillPage } from "../../../lib/dynamodb/page.ts";
import { inRange, inSequence } from "../../../lib/dynamodb/sources.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { tryUpdate } from "../../../lib/dynamodb/try-update.ts";
import { anyValue, type Write } from "../../../lib/dynamodb/write.ts";
import { commit, commitEach } from "../../../lib/jobs/commit.ts";
import { toSweep } from "../../../lib/jobs/list.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { duePartition, newJob } from "../../../lib/store/job.ts";
import { interceptStore } from "../aws/intercept-store.ts";
import { claimed } from "../jobs.ts";
import fc from "../property.ts";
import { refusalCases } from "./refusal-cases.ts";

const newPk = () => `test#${randomUUID()}`;
const put = (pk: string, sk: string, more: object = {}): Write => ({ put: { pk, sk, ...more } });
const write = (writes: Write[]) => ({ writes });
const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(4, "0"));
const skOf = ({ sk }: { sk: string }) => sk;

async function filled(count: number): Promise<string> {
  const pk = newPk();
  await commitEach(numbered(count).map((sk) => write([put(pk, sk)])));
  return pk;
}

/** Not on an engine that disturbs: a repeated request costs again. */
export function unitCases(): void {
  it("a transaction costs two units for an item, and one for its place in the index", async () => {
    const pk = newPk();
    const call = newCall("r");
    await inCall(call, () => commit([put(pk, "a", { due: "d", sweepAt: 1 }), put(pk, "b")]));
    expect(call.cost).toMatchObject({ roundTrips: 1, writeUnits: 5 });
  });
}

export function storeCases(): void {
  afterEach(() => void vi.restoreAllMocks());
  refusalCases();

  describe("reading", () => {
    it("returns an item as it was put, and undefined for a missing one", async () => {
      const pk = newPk();
      const item = { pk, sk: "a", text: "", list: [1, ["b", { c: null }]], unset: undefined, on: false, n: 1.5 };
      await commit([{ put: item }]);
      const { unset: _unset, ...stored } = item;
      expect(await Table.get({ pk, sk: "a" })).toEqual(stored);
      expect(await Table.get({ pk, sk: "b" })).toBeUndefined();
    });

    it("reads any number of keys in the given order, also repeated and missing ones", async () => {
      const pk = await filled(250);
      const wanted = [...numbered(260), "0007", "0007"].reverse();
      const found = await Table.getMany<Item>(wanted.map((sk) => ({ pk, sk })));
      expect(found.map((item) => item?.sk)).toEqual(wanted.map((sk) => (sk < "0250" ? sk : undefined)));
    });

    it("returns only the wanted attributes of the items, also those with reserved names", async () => {
      const pk = newPk();
      await commit([put(pk, "a", { name: "n", other: 1 }), put(pk, "b", { other: 2 })]);
      const items = await Array.fromAsync(Table.all<Item>({ pk, limit: 1, attributes: ["sk", "name"] }));
      expect(items.flat()).toEqual([{ sk: "a", name: "n" }, { sk: "b" }]);
    });

    it("tells a prefix of sort keys from one with other letters, or in the other case", async () => {
      const pk = newPk();
      const sks = ["ab#", "ab#1", "ab#\u{10FFFF}\u{10FFFF}x", "AB#1", "aB#1", "ab$", "äb#", "Äb#", "ab%x", "ab_x"];
      await commitEach(sks.map((sk) => write([put(pk, sk)])));
      const found = async (beginsWith: string) =>
        (await Array.fromAsync(Table.all<Item>({ pk, beginsWith }))).flat().map(skOf).toSorted();
      expect(await found("ab#")).toEqual(["ab#", "ab#1", "ab#\u{10FFFF}\u{10FFFF}x"]);
      expect(await found("AB")).toEqual(["AB#1"]);
      expect(await found("ä")).toEqual(["äb#"]);
      expect([await found("ab%"), await found("ab_")]).toEqual([["ab%x"], ["ab_x"]]);
    });

    it("pages through a partition, and filters by the beginning of the sort key", async () => {
      const pk = await filled(25);
      const first = (await Table.query<Item>({ pk, limit: 10 })) as { items: Item[]; next: string };
      // A page can be shorter than its limit.
      expect(first.items.map(skOf)).toEqual(numbered(10).slice(0, first.items.length));
      const rest = await Array.fromAsync(Table.all<Item>({ pk, limit: 4, after: first.next }));
      expect([...first.items, ...rest.flat()].map(skOf)).toEqual(numbered(25));
      const some = await Array.fromAsync(Table.all<Item>({ pk, beginsWith: "001" }));
      expect(some.flat().map(skOf)).toEqual(numbered(20).slice(10));
    });
  });

  describe("writing", () => {
    it("writes all or nothing", async () => {
      const pk = newPk();
      const taken: Write = { put: { pk, sk: "a" }, if: "absent" };
      expect(await commit([taken])).toBe(true);
      expect(await commit([put(pk, "b"), taken])).toBe(false);
      expect(await Table.get({ pk, sk: "b" })).toBeUndefined();
    });

    it("evaluates every kind of condition", async () => {
      const pk = newPk();
      const on = (condition: NonNullable<Write["if"]>) =>
        commit([{ update: { pk, sk: "a" }, set: { n: 1 }, if: condition }]);
      expect(await on("present")).toBe(false);
      expect(await on({ n: undefined })).toBe(true);
      expect(await on("absent")).toBe(false);
      expect(await on({ n: 2 })).toBe(false);
      expect(await on({ n: 1, other: undefined })).toBe(true);
      expect(await on({ other: anyValue })).toBe(false);
      expect(await commit([{ delete: { pk, sk: "a" }, if: { n: 1 } }])).toBe(true);
      expect(await commit([{ delete: { pk, sk: "a" }, if: "present" }])).toBe(false);
    });

    it("sets, keeps and removes attributes, whatever their names", async () => {
      const key = { pk: newPk(), sk: "a" };
      await commit([{ put: { ...key, name: "old", size: 1, "a-b.c": true } }]);
      const change = { set: { name: "new", unset: undefined }, setIfAbsent: { size: 2, count: 3 }, remove: ["a-b.c"] };
      await commit([{ update: key, ...change }]);
      expect(await Table.get(key)).toEqual({ ...key, name: "new", size: 1, count: 3 });
    });

    it("adds to numbers, concurrently too, and returns the item unless a condition fails", async () => {
      const key = { pk: newPk(), sk: "a" };
      // The update is made once, so a hard engine can refuse it. When only its reply was lost, this adds again.
      const insist = <T>(update: () => Promise<T>): Promise<T> =>
        update().catch((thrown) => {
          if (isBusy(thrown)) return insist(update);
          throw thrown;
        });
      const adding = (count: number, condition?: NonNullable<Write["if"]>) =>
        insist(() => tryUpdate({ update: key, add: { count }, ...(condition && { if: condition }) }));
      const { count: first } = (await adding(2)) as { count: number };
      expect(first).toBeGreaterThanOrEqual(2);
      await Promise.all([1, 2, 3, 4, 5].map(() => adding(1, { count: anyValue })));
      const { count } = (await Table.get(key)) as unknown as { count: number };
      expect(count).toBeGreaterThanOrEqual(first + 5);
      const renamed = await insist(() => tryUpdate({ update: key, set: { a: 1 }, if: { count } }));
      expect(renamed).toEqual({ ...key, count, a: 1 });
      expect(await adding(1, { count: 1 })).toBeUndefined();
    });

    it("reports each unit whose condition failed, and writes every other unit whole", async () => {
      const pk = newPk();
      const isTaken = (sk: string) => Number(sk) % 7 === 3;
      await commitEach(
        numbered(100)
          .filter(isTaken)
          .map((sk) => write([put(pk, sk, { by: "first" })])),
      );
      const units = numbered(100).map((sk) =>
        write([put(pk, `${sk} beside`), { put: { pk, sk, by: "second" }, if: "absent" }]),
      );
      expect(await commitEach(units)).toEqual(numbered(100).map((sk) => !isTaken(sk)));
      const all = (await Array.fromAsync(Table.all<Item>({ pk }))).flat();
      const expected = numbered(100).flatMap((sk) =>
        isTaken(sk)
          ? [[sk, "first"]]
          : [
              [sk, "second"],
              [`${sk} beside`, undefined],
            ],
      );
      expect(all.map(({ sk, by }) => [sk, by])).toEqual(expected);
    });

    it("reports success when a transaction is repeated after a lost reply", async () => {
      const pk = newPk();
      let attempts = 0;
      const networkError = Object.assign(new Error("socket hang up"), { name: "TransactionInProgressException" });
      interceptStore(
        () => {},
        (command) => {
          if (command.constructor.name === "TransactWriteCommand" && attempts++ === 0) throw networkError;
        },
      );
      expect(await commit([{ put: { pk, sk: "a" }, if: "absent" }])).toBe(true);
      expect(attempts).toBe(2);
    });

    it("writes everything when transactions, lone writes and batches of the same item overlap", async () => {
      const pk = newPk();
      const transactions = numbered(5).map((sk) => commit([put(pk, "hot", { by: sk }), put(pk, sk)]));
      const alone = numbered(5).map((sk) => commit([put(pk, "hot", { by: sk })]));
      const batches = numbered(5).map((sk) => putAll([put(pk, "hot"), put(pk, `batch ${sk}`)] as { put: Item }[]));
      await Promise.all([...alone, ...batches]);
      expect(await Promise.all(transactions)).toEqual(Array(5).fill(true));
      const all = (await Array.fromAsync(Table.all<Item>({ pk }))).flat().map(skOf);
      expect(all).toEqual([...numbered(5), ...numbered(5).map((sk) => `batch ${sk}`), "hot"]);
    });

    it("deletes any number of items", async () => {
      const pk = await filled(130);
      await deleteAll(numbered(130).map((sk) => ({ pk, sk })));
      expect((await Table.query({ pk })).items).toEqual([]);
    });
  });

  describe("pages over shards", () => {
    it("return every shown item once, for any page size", async () => {
      const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 25 });
      const show = (items: { sk: string }[]) => items.map(({ sk }) => (sk[2] === "a" ? undefined : sk.slice(2)));
      await fc.assert(
        fc.asyncProperty(names, fc.integer({ min: 1, max: 9 }), async (sks, limit) => {
          const list = newPk();
          await commitEach(sks.map((sk) => write([put(`${list}#${shardOf(sk) % 4}`, sk)])));
          const shards = [0, 1, 2, 3].map((shard) => inRange({ pk: `${list}#${shard}` }));
          const seen: string[] = [];
          let from: string | undefined;
          do {
            const page = await fillPage({ read: inSequence(shards, "parallel"), show }, { limit, from });
            expect(page.items.length).toBeLessThanOrEqual(limit);
            seen.push(...page.items);
            from = page.next;
          } while (from);
          expect(seen.sort()).toEqual(sks.filter((sk) => !sk.startsWith("a")).sort());
        }),
        { numRuns: 12 },
      );
    });
  });

  describe("jobs", () => {
    it("are overdue after their due time, until they end", async () => {
      const job = newJob("purge", "w", {});
      await commit([], { jobs: [job] });
      const isListed = async (before: number) =>
        (await Array.fromAsync(toSweep(duePartition(job), before))).flat().some(({ id }) => id === job.id);
      expect([await isListed(job.dueAt), await isListed(job.dueAt + 1)]).toEqual([false, true]);
      await Job.finish(await claimed(job.id, 1_000), "done");
      expect(await isListed(Date.now() + 3_600_000)).toBe(false);
    });

    it("are claimed by only one of several concurrent workers", async () => {
      const job = newJob("purge", "w", {});
      await commit([], { jobs: [job] });
      const claims = await Promise.all(Array.from({ length: 5 }, () => Job.claim(job.id, 60_000)));
      expect(claims.filter(({ outcome }) => outcome === "claimed")).toHaveLength(1);
    });
  });
}
