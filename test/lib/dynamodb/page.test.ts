import { describe, expect, it } from "vitest";
import { fillPage, firstOf, type List, type Position, pageCharactersMax, pageOf } from "../../../lib/dynamodb/page.ts";

interface Entry extends Position {
  text?: string;
}

const hidden = (count: number) => Array.from({ length: count }, () => undefined);

/** A list of these texts. `readMax`: most entries of one read, whatever is asked for. */
function listOf(texts: readonly (string | undefined)[], readMax = Number.POSITIVE_INFINITY) {
  const entries: Entry[] = texts.map((text, index) => ({ sk: `${index}`, ...(text !== undefined && { text }) }));
  const sizes: number[] = [];
  return {
    sizes,
    async read(limit: number, from?: string) {
      const start = from === undefined ? 0 : Number(from) + 1;
      const items = entries.slice(start, start + Math.min(limit, readMax));
      sizes.push(items.length);
      return pageOf(items, start + items.length < entries.length ? `${start + items.length - 1}` : undefined);
    },
    show: (read: Entry[]) => read.map(({ text }) => text),
  };
}

async function pagesOf(list: List<Entry, string>, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let from: string | undefined;
  do {
    const page = await fillPage(list, { limit, from });
    pages.push(page.items);
    from = page.next;
  } while (from !== undefined);
  return pages;
}

describe("fillPage", () => {
  it("fills each page past hidden entries, and ends with the last item", async () => {
    const texts = [...hidden(3), "a", ...hidden(300), "b", "c", ...hidden(3), "d", ...hidden(500)];
    expect(await pagesOf(listOf(texts), 1)).toEqual([["a"], ["b"], ["c"], ["d"]]);
    expect(await pagesOf(listOf(texts), 3)).toEqual([["a", "b", "c"], ["d"]]);
    expect(await pagesOf(listOf(texts), 4)).toEqual([["a", "b", "c", "d"]]);
    expect(await pagesOf(listOf([]), 2)).toEqual([[]]);
  });

  it("reads one entry more than the limit when none is hidden", async () => {
    const list = listOf(["a", "b", "c", "d", "e"]);
    expect(await fillPage(list, { limit: 3 })).toEqual({ items: ["a", "b", "c"], next: "2" });
    expect(list.sizes).toEqual([4]);
  });

  it("reads as many more entries as the hidden ones before suggest", async () => {
    const sparse = Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? `${index}` : undefined));
    const list = listOf(sparse);
    expect((await fillPage(list, { limit: 7 })).items).toHaveLength(7);
    expect(list.sizes).toEqual([8, 24]);
  });

  it("ends a page after the maximum of entries, and the next page continues there", async () => {
    expect(await pagesOf(listOf(["a", ...hidden(1_200), "b"]), 1)).toEqual([["a"], ["b"]]);
    expect(await pagesOf(listOf([...hidden(1_200), "b"]), 1)).toEqual([[], ["b"]]);
    expect(await pagesOf(listOf([...hidden(999), "b"]), 1)).toEqual([["b"]]);
  });

  it("shows no more entries together than it asked for, whatever the source returns", async () => {
    const list = listOf(["a", "b", "c", "d", "e"]);
    const sizes: number[] = [];
    const read = async () => list.read(9);
    const show = (entries: Entry[]) => {
      sizes.push(entries.length);
      return list.show(entries);
    };
    expect(await fillPage({ read, show }, { limit: 1 })).toEqual({ items: ["a"], next: "0" });
    expect(sizes).toEqual([2]);
  });

  it("shows at most 100 entries together, although it reads more where many are hidden", async () => {
    const list = listOf(Array.from({ length: 900 }, (_, index) => (index % 10 === 0 ? `${index}` : undefined)));
    const sizes: number[] = [];
    const show = (entries: Entry[]) => {
      sizes.push(entries.length);
      return list.show(entries);
    };
    expect((await fillPage({ read: list.read, show }, { limit: 50 })).items).toHaveLength(50);
    expect(list.sizes).toEqual([51, 383, 70]);
    expect(Math.max(...sizes)).toBe(100);
  });

  it("ends in time when each read returns little", async () => {
    const list = listOf([...hidden(100), "b"], 1);
    expect(await fillPage(list, { limit: 1 })).toEqual({ items: [], next: "29" });
  });

  it("ends after its time, with a read at least", async () => {
    const bounds = { limit: 1, until: Date.now() - 1 };
    expect(await fillPage(listOf([...hidden(3), "b"]), bounds)).toEqual({ items: [], next: "1" });
  });

  it("ends where the source reads fewer entries than it is asked for", async () => {
    expect(await pagesOf(listOf(["a", "b", "c"], 2), 9)).toEqual([["a", "b"], ["c"]]);
  });

  it("limits a page by the characters of its items, with at least one", async () => {
    const long = "x".repeat(700_000);
    const pages = await pagesOf(listOf([long, undefined, long, "a", long]), 9);
    expect(pages.map(({ length }) => length)).toEqual([1, 2, 1]);
    expect(await pagesOf(listOf(["x".repeat(pageCharactersMax), "a"]), 9)).toHaveLength(2);
    const list = { ...listOf(["a", "b"]), sizeOf: () => 2 };
    expect(await fillPage(list, { limit: 9, sizeMax: 3 })).toEqual({ items: ["a"], next: "0" });
  });

  it("loads only large items that can exist, and only as many as fit by their mean size", async () => {
    const list = listOf(Array.from({ length: 60 }, (_, index) => `${index}`));
    const loads: number[] = [];
    const large: List<Entry, string> = {
      read: list.read,
      canShow: async (entries) => entries.map(({ sk }) => Number(sk) % 2 === 0),
      show(entries) {
        loads.push(entries.length);
        return list.show(entries);
      },
      sizeOf: () => 10,
    };
    const page = await fillPage(large, { limit: 50, sizeMax: 180 });
    expect(page.items).toEqual(Array.from({ length: 18 }, (_, index) => `${2 * index}`));
    expect(page.next).toBe("34");
    expect(loads).toEqual([16, 3]);

    loads.length = 0;
    const expectedSizeOf = ({ sk }: Entry) => (Number(sk) < 4 ? 100 : 10);
    expect((await fillPage({ ...large, expectedSizeOf }, { limit: 50, sizeMax: 180 })).items).toHaveLength(18);
    expect(loads).toEqual([2, 17]);
  });
});

it("firstOf continues after the last of the first entries", () => {
  const entries = ["a", "b", "c"].map((sk) => ({ sk }));
  expect(firstOf(entries, 2, "z")).toEqual({ items: entries.slice(0, 2), next: "b" });
  expect(firstOf(entries, 3, "z")).toEqual({ items: entries, next: "z" });
  expect(Object.keys(firstOf(entries, 3))).toEqual(["items"]);
});
