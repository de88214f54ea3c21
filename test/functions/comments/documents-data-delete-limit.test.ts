// One call deletes items with a limited number of participants.
import { expect, it, vi } from "vitest";
import { atAwsEdge } from "../../support/aws/edge.ts";
import { remove } from "../../support/comments.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { add, exportOf, newDocument, person } from "../../support/feature-data.ts";

vi.mock("../../../lib/schema/features.ts", async (original) => ({
  ...(await original<object>()),
  participationsMax: 5,
}));

fakeDates();

const annotation = (annotationId: string, ...tagged: string[]) => ({
  annotationId,
  from: person("u"),
  comments: [{ commentId: "c", from: person("u"), taggedUsers: tagged.map(person) }],
});

it.each(["without", "after"])("%s a conflict, it deletes the first ones that have few enough in all", async (kind) => {
  const as = await newDocument();
  await add(
    as,
    { id: "l" },
    {
      comments: [annotation("a", "v", "w"), annotation("b", "v", "w"), annotation("c", "v"), annotation("d")],
    },
  );
  let isHit = kind === "without";
  atAwsEdge(async (command, call) => {
    if (isHit || command.constructor.name !== "TransactWriteCommand") return call();
    isHit = true;
    const reasons = { CancellationReasons: [{ Code: "TransactionConflict" }] };
    throw Object.assign(new Error("Conflict"), { name: "TransactionCanceledException", ...reasons });
  });
  const { data } = await remove(as, ["a", "b", "c", "d"]);
  vi.restoreAllMocks();
  expect(isHit).toBe(true);
  const deleted = (id: string) => ({ success: true, id, message: "Deleted." });
  const message = "The items of one call have at most 5 participants in all. Delete this one in another call.";
  const left = (id: string) => ({ success: false, id, code: "beyond-limit", message });
  expect(data).toMatchObject({ a: deleted("a"), b: { success: false }, c: deleted("c"), d: { success: false } });
  expect(data.b).toEqual(left("b"));
  expect((await exportOf(as)).comments.map((each: { annotationId: string }) => each.annotationId)).toEqual(["b", "d"]);
  expect((await remove(as, ["b", "d"])).data).toEqual({ b: deleted("b"), d: deleted("d") });
});
