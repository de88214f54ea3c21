// One call changes annotations of a limited size in all.
import { expect, it, vi } from "vitest";
import { commentannotationsUpdate } from "../../../functions/comments/commentannotations-update.ts";
import { must } from "../../support/call.ts";
import { add, documentId, exportOf, newDocument, person } from "../../support/feature-data.ts";
import { organizationId } from "../../support/workspace.ts";

vi.mock("../../../lib/features/room.ts", async (original) => {
  const { roomFor } = await original<typeof import("../../../lib/features/room.ts")>();
  return { roomFor: (max: number) => roomFor(max / 40_000) };
});

it("changes the first ones that fit, and says of each other that it did not", async () => {
  const as = await newDocument();
  const annotation = (annotationId: string, length: number) => ({
    ...{ annotationId, from: person("u") },
    metadata: { text: "x".repeat(length) },
  });
  await add(as, { id: "l" }, { comments: [annotation("a", 1_000), annotation("b", 1_000), annotation("c", 10)] });
  const data = { organizationId, documentId, annotationIds: ["a", "b", "c"], update: { status: "DONE" } };
  const reply = await must(commentannotationsUpdate, { as, data });
  const message = expect.stringMatching(
    /^The annotations of one call have at most 64000000 characters in all\. .*another/,
  );
  expect(reply).toMatchObject({
    ...{ a: { success: true }, c: { success: true } },
    b: { success: false, code: "beyond-limit", message },
  });
  const { comments } = await exportOf(as);
  const states = comments.map((each: { annotationId: string; status?: string }) => [each.annotationId, each.status]);
  expect(states.sort()).toEqual([
    ["a", "DONE"],
    ["b", undefined],
    ["c", "DONE"],
  ]);
});
