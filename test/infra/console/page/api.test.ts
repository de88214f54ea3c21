import { expect, test, vi } from "vitest";
import { ApiFailure, change, isFinal, keysOf } from "../../../../infra/console/page/api.ts";

test("a failure is final only if the API would reply the same again", () => {
  const statuses = [
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "ITEM_FAILED",
    "UNREACHABLE",
    "UNAVAILABLE",
    "ABORTED",
    "INTERNAL",
  ];
  const found = statuses.filter((status) => isFinal(new ApiFailure(status, "It failed.")));
  expect(found).toEqual(["INVALID_ARGUMENT", "NOT_FOUND", "ITEM_FAILED"]);
});

test("a change fails with the message of an item that failed, also of one that stands under its kind", async () => {
  vi.stubGlobal("localStorage", { getItem: () => null });
  const sent = (data: object) => {
    vi.stubGlobal("fetch", async () => Response.json({ result: { data } }));
    return change("v2/organizations/documents/data/add", {}, keysOf(new Map()));
  };
  const failed = { success: false, message: "Another location has this id." };
  for (const data of [{ t1: failed }, { reactions: {}, comments: { t1: failed } }])
    await expect(sent(data)).rejects.toMatchObject({ status: "ITEM_FAILED", message: failed.message });
  await expect(sent({ comments: { t1: { success: true, message: "Added." } }, hasMore: null })).resolves.toBeDefined();
});

test("a retry sends the keys of the first try, and each call of a try has its own", () => {
  const keys = new Map<string, string>();
  const [first, retry] = [keysOf(keys), keysOf(keys)];
  const sent = [first("same"), first("same"), first("other")];
  expect(new Set(sent).size).toBe(3);
  expect([retry("same"), retry("same"), retry("other")]).toEqual(sent);
  expect(keysOf(keys)("changed")).not.toBe(sent[0]);
});
