import { describe, expect, it } from "vitest";
import { pageOf } from "../../../lib/dynamodb/page.ts";
import { hiddenMax, pageOfShown } from "../../../lib/dynamodb/shown-page.ts";

interface Entry {
  sk: string;
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
    show: async (read: Entry[]) => read.map(({ text }) => text),
  };
}

async function pagesOf(list: ReturnType<typeof listOf>, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let from: string | undefined;
  do {
    const page = await pageOfShown(list, limit, from);
    pages.push(page.items);
    from = page.next;
  } while (from !== undefined);
  return pages;
}

describe("pageOfShown", () => {
  it("fills each page past hidden entries, and ends with the last item", async () => {
    const texts = [...hidden(3), "a", ...hidden(300), "b", "c", ...hidden(3), "d", ...hidden(500)];
    expect(await pagesOf(listOf(texts), 1)).toEqual([["a"], ["b"], ["c"], ["d"]]);
    expect(await pagesOf(listOf(texts), 3)).toEqual([["a", "b", "c"], ["d"]]);
    expect(await pagesOf(listOf(texts), 4)).toEqual([["a", "b", "c", "d"]]);
    expect(await pagesOf(listOf([]), 2)).toEqual([[]]);
  });

  it("reads one entry more than the limit when none is hidden", async () => {
    const list = listOf(["a", "b", "c", "d", "e"]);
    expect(await pageOfShown(list, 3, undefined)).toEqual({ items: ["a", "b", "c"], next: "2" });
    expect(list.sizes).toEqual([4]);
  });

  it("ends a page after the maximum of hidden entries, and the next page continues there", async () => {
    const texts = ["a", ...hidden(hiddenMax + 200), "b"];
    expect(await pagesOf(listOf(texts), 1)).toEqual([["a"], ["b"]]);
    expect(await pagesOf(listOf([...hidden(hiddenMax + 200), "b"]), 1)).toEqual([[], ["b"]]);
    expect(await pagesOf(listOf([...hidden(hiddenMax), "b"]), 1)).toEqual([["b"]]);
  });

  it("ends in time when each read returns little", async () => {
    const list = listOf([...hidden(100), "b"], 1);
    expect(await pageOfShown(list, 1, undefined)).toEqual({ items: [], next: "29" });
  });

  it("limits a page by the characters of its items, with at least one", async () => {
    const long = "x".repeat(700_000);
    expect((await pagesOf(listOf([long, undefined, long, "a", long]), 9)).map(({ length }) => length)).toEqual([
      1, 2, 1,
    ]);
    const list = { ...listOf(["a", "b"]), charactersOf: () => 2_000_000 };
    expect(await pageOfShown(list, 9, undefined)).toEqual({ items: ["a"], next: "0" });
  });
});
