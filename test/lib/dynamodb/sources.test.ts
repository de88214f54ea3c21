// `test/support/engine/cases.ts` compares the pages of a sharded list with a model.
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { type Position, pageOf, type Source } from "../../../lib/dynamodb/page.ts";
import { inRange, inSequence, pageOfIds } from "../../../lib/dynamodb/sources.ts";
import { mockDynamo } from "../../support/aws/mock-dynamo.ts";
import { shortPages } from "../../support/aws/short-pages.ts";

const dynamo = mockDynamo();

describe("inRange", () => {
  const read = inRange({ pk: "p" });
  const limits = () => dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.Limit);

  it("reads on when DynamoDB ends its own page early", async () => {
    const keys = shortPages(dynamo, 7);
    expect(await read(6)).toEqual({ items: keys.slice(0, 6), next: "5" });
    expect(limits()).toEqual([6, 4, 2]);
    expect(await read(6, "4")).toEqual({ items: keys.slice(5) });
  });

  it("reads no further than half of what DynamoDB returns at once", async () => {
    const keys = shortPages(dynamo, 9, 64);
    expect(await read(10)).toEqual({ items: keys.slice(0, 4), next: "3" });
    expect(limits()).toEqual([10, 8]);
  });

  it("makes at most 20 requests", async () => {
    const keys = shortPages(dynamo, 50);
    expect(await read(49)).toEqual({ items: keys.slice(0, 40), next: "39" });
  });
});

/** Sources with these sort keys. `reads` has the source and the limit of each read. */
function sourcesOf(lists: string[][]) {
  const reads: [number, number][] = [];
  const sources = lists.map(
    (list, source): Source<Position> =>
      async (limit, from) => {
        reads.push([source, limit]);
        const rest = list.filter((sk) => from === undefined || sk > from).map((sk) => ({ sk }));
        return pageOf(rest.slice(0, limit), rest.length > limit ? rest[limit - 1]?.sk : undefined);
      },
  );
  return { sources, reads };
}

const positions = (page: { items: Position[] }) => page.items.map(({ sk }) => sk);

describe("inSequence", () => {
  it("continues after a sort key that contains the separator of positions", async () => {
    const read = inSequence(sourcesOf([["a:1", "a:2"], [], ["z"]]).sources, "one by one");
    expect(positions(await read(1))).toEqual(["0:a:1"]);
    expect(await read(9, "0:a:1")).toEqual({
      items: [
        { sk: "0:a:2", source: 0 },
        { sk: "2:z", source: 2 },
      ],
    });
    expect(await read(1, "0:a:2")).toEqual({ items: [{ sk: "2:z", source: 2 }] });
  });

  it("reads one source that has enough, and then three, and then all that remain", async () => {
    const lists = [["a"], ["b"], ["c"], ["d"], ["e"], ["f", "g"]];
    const { sources, reads } = sourcesOf(lists);
    const read = inSequence(sources, "parallel");
    expect(await read(1)).toMatchObject({ next: "1:" });
    expect(reads.splice(0)).toEqual([[0, 1]]);
    expect(positions(await read(6))).toEqual(["0:a", "1:b", "2:c", "3:d", "4:e", "5:f", "5:g"]);
    expect(reads.map(([, limit]) => limit)).toEqual([6, 5, 5, 5, 2, 2]);
  });

  it("continues in the first source that has more, without what later ones have returned", async () => {
    const read = inSequence(sourcesOf([[], ["a", "b"], ["c", "d"]]).sources, "parallel");
    expect(await read(1)).toMatchObject({ items: [{ sk: "1:a" }], next: "1:a" });
    expect(positions(await read(9, "1:a"))).toEqual(["1:b", "2:c", "2:d"]);
  });
});

it("pageOfIds omits ids without an item, and keeps the order of the ids", async () => {
  const load = async (ids: string[]) => ids.map((id) => (id === "x" ? undefined : id.toUpperCase()));
  const ids = ["c", "x", "a", "b"];
  expect(await pageOfIds(ids, { limit: 2 }, load)).toEqual({ items: ["C", "A"], next: "a" });
  expect(await pageOfIds(ids, { limit: 2, from: "a" }, load)).toEqual({ items: ["B"] });
});
