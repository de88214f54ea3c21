import { expect, test } from "vitest";
import { allPages, eachPage } from "../../../../infra/console/page/paged.ts";

const following = (token: string | undefined) => ({ undefined: "a", a: "b", b: null })[String(token)] ?? null;

test("all pages are read, to the last or to the limit", async () => {
  const load = async (token: string | undefined) => ({ items: [token], nextPageToken: following(token) });
  expect(await allPages(load)).toEqual([undefined, "a", "b"]);
  expect(await allPages(load, 2)).toEqual([undefined, "a"]);
});

test("reading ends at a page that was named before", async () => {
  let calls = 0;
  const load = async () => ({ items: [], nextPageToken: String(++calls % 2) });
  await expect(allPages(load)).rejects.toThrow("names the same page again");
  await expect(Array.fromAsync(eachPage(load))).rejects.toThrow("names the same page again");
});
