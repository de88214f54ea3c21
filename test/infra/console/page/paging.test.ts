import { expect, test } from "vitest";
import { allPages, pagesOf } from "../../../../infra/console/page/paging.ts";

async function read(next: (page: number) => string | null): Promise<number> {
  let pages = 0;
  for await (const _ of pagesOf(async () => ({ nextPageToken: next(pages + 1) }))) pages++;
  return pages;
}

test("all pages are read up to the last one", async () => {
  expect(await read((page) => (page < 3 ? String(page) : null))).toBe(3);
});

test("a repeated page token ends the reading with a failure", async () => {
  await expect(read((page) => String(page % 2))).rejects.toThrow("same page token twice");
});

test("a list without an end is read up to a bound", async () => {
  await expect(read(String)).rejects.toThrow("more than 1000 pages");
});

test("a choice reads no more than it shows", async () => {
  const tokens: (string | undefined)[] = [];
  const load = async (pageToken: string | undefined) => {
    tokens.push(pageToken);
    return { items: [1, 2], nextPageToken: String(tokens.length) };
  };
  expect(await allPages(load, 3)).toEqual([1, 2, 1, 2]);
  expect(tokens).toEqual([undefined, "1"]);
});
