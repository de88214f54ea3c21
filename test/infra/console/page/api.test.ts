import { expect, test } from "vitest";
import { ApiFailure, isFinal } from "../../../../infra/console/page/api.ts";

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
  expect(isFinal(new TypeError("The connection ended."))).toBe(false);
});
