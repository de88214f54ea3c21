// Where a page ends. `test/support/engine/cases.ts` compares the pages of a list with a model.
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import type { Item } from "../../../lib/dynamodb/key.ts";
import { pageCharactersMax } from "../../../lib/dynamodb/page.ts";
import { pageOfShards } from "../../../lib/dynamodb/sharded-page.ts";

/** Stores a list. `items` has the sort keys of each shard. Returns a function that reads a page of the list. */
async function listWith(items: Record<number, string[]>, more: object = {}) {
  const list = `test#${randomUUID()}`;
  const puts = Object.entries(items).flatMap(([shard, sks]) =>
    sks.map((sk) => ({ pk: `${list}#${shard}`, sk, ...more })),
  );
  await putAll(puts.map((put) => ({ put })));
  const page = (limit: number, from?: string) => pageOfShards<Item>((shard) => `${list}#${shard}`, limit, from);
  return page;
}

const sksOf = ({ items }: { items: Item[] }) => items.map(({ sk }) => sk);

describe("pageOfShards", () => {
  it("continues after a sort key that contains the separator of positions", async () => {
    const page = await listWith({ 3: ["a:1", "a:2"], 15: ["z"] });
    const first = await page(1);
    const second = await page(1, first.next);
    const third = await page(1, second.next);
    expect([first, second, third].flatMap(sksOf)).toEqual(["a:1", "a:2", "z"]);
    expect(third).not.toHaveProperty("next");
  });

  it("has no `next` when the limit is reached with the last item of the list", async () => {
    const page = await listWith({ 0: ["a"], 15: ["b"] });
    expect(await page(2)).not.toHaveProperty("next");
  });

  it("ends a page before it has more characters than a reply can carry", async () => {
    const page = await listWith({ 0: ["a"], 1: ["b"], 2: ["c"], 3: ["d"] }, { text: "x".repeat(390_000) });
    const first = await page(10);
    expect(JSON.stringify(first.items).length).toBeLessThan(pageCharactersMax + 1_000);
    expect(sksOf(first)).toEqual(["a", "b", "c"]);
    expect(sksOf(await page(10, first.next))).toEqual(["d"]);
  });
});
