import { afterEach, expect, test, vi } from "vitest";
import { readPages } from "../../../../infra/console/page/live.ts";

afterEach(() => void vi.unstubAllGlobals());

test("pages are read up to the last one, or as many as are asked for", async () => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  vi.stubGlobal("fetch", async (_: string, { body }: { body: string }) => {
    const page = Number(JSON.parse(body).data.pageToken ?? 0);
    return Response.json({ result: { data: { users: [page], nextPageToken: page === 2 ? null : `${page + 1}` } } });
  });
  const read = (max: number) => readPages("v2/users/get", "users", {}, { max, signal: new AbortController().signal });
  expect(await read(2)).toEqual({ items: [0, 1], count: 2, hasMore: true });
  expect(await read(9)).toEqual({ items: [0, 1, 2], count: 3, hasMore: false });
});
