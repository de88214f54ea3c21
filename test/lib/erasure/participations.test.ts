// What an erasure leaves of the participations of others.
import { expect, it } from "vitest";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import { addTo, annotationX, expectConsistent } from "../../support/comments.ts";
import { erased } from "../../support/erasure.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { add, exportOf, newDocument, person } from "../../support/feature-data.ts";

fakeDates();

it("a user whom only a removed reply mentioned takes part in the thread no more", async () => {
  const as = await newDocument();
  await add(as, { id: "l" }, { comments: [{ annotationId: "x", from: person("w"), assignedTo: person("v") }] });
  await addTo(as, [{ commentId: "1", from: person("v"), taggedUsers: [person("u")] }], { annotationId: "x" });
  expect((await exportOf(as, "u")).comments).toHaveLength(1);
  await erased(await beginErasure(as.apiKey, { userIds: ["v"] }));
  expect(await annotationX(as)).toMatchObject({ comments: [], assignedTo: { userId: "erased-user" } });
  expect((await exportOf(as, "u")).comments).toEqual([]);
  expect((await exportOf(as, "w")).comments).toHaveLength(1);
  await expectConsistent(as);
});
