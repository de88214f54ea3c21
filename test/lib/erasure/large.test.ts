// An erasure from items that are as large as an item may be.
import { expect, it } from "vitest";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { add, newDocument } from "../../support/feature-data.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();

/** Metadata of about 256 KB. A placeholder in place of each id would make it larger than an item of DynamoDB can be. */
const metadata = {
  numbers: { userId: Array.from({ length: 80_000 }, () => 7) },
  objects: Array.from({ length: 6_000 }, () => ({ userId: "7" })),
};

it("is done, although others have written the user's id as often as they could", async () => {
  const as = await newDocument();
  const from = { userId: "other" };
  const large = { annotationId: "large", from, metadata };
  const small = { annotationId: "small", from, assignedTo: { userId: "7", name: "Seven" } };
  await add(as, { id: "l" }, { comments: [large, small] });
  await erased(await beginErasure(as.apiKey, { userIds: ["7"] }));
  const records = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "feature").map(({ record }) => record);
  const left = records.map((record) => JSON.parse(String(record)));
  expect(left.find(({ annotationId }) => annotationId === "small").assignedTo).toEqual({ userId: "erased-user" });
  expect(left.find(({ annotationId }) => annotationId === "large").metadata).toEqual({
    numbers: { userId: [] },
    objects: metadata.objects.map(() => ({})),
  });
});
