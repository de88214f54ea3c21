// Calls beside documents/data/add that change the location between its reads.
import { afterEach, expect, it, vi } from "vitest";
import { documentsDataAdd, handler } from "../../../functions/comments/documents-data-add.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import type { Credentials } from "../../support/call.ts";
import { add, documentId, newDocument, placesOf, reaction, remove } from "../../support/feature-data.ts";
import { callSource, organizationId } from "../../support/workspace.ts";

const [a, b] = [{ id: "a" }, { id: "b" }];
afterEach(() => void vi.restoreAllMocks());

/** Adds the reaction `x` to the location a. Once it has read the location, `between` runs. */
async function addBeside(as: Credentials, between: () => Promise<unknown>): Promise<void> {
  let hasRun = false;
  interceptStore(async ({ input }) => {
    if (hasRun || !JSON.stringify(input).includes("FEATURE-ID#")) return;
    hasRun = true;
    await between();
  });
  const data = { organizationId, documentId, location: a, reactions: [reaction("x", "v")] };
  expect(await callSource(handler, documentsDataAdd, data, as)).toBe(200);
  vi.restoreAllMocks();
  expect(hasRun).toBe(true);
}

it("replaces an item that another call has added with its location since the location was read", async () => {
  const as = await newDocument();
  await addBeside(as, () => add(as, a, { reactions: [reaction("x", "u")] }));
  expect(await placesOf(as, "v")).toEqual({ x: a });
  expect(await placesOf(as, "u")).toEqual({});
});

it("replaces an item of the next location of the same identity", async () => {
  const as = await newDocument();
  await add(as, a, { reactions: [reaction("y")] });
  await addBeside(as, async () => {
    await remove(as, a);
    await add(as, a, { reactions: [reaction("x", "u")] });
  });
  expect(await placesOf(as, "v")).toEqual({ x: a });
});

it("refuses an item that another location has", async () => {
  const as = await newDocument();
  await addBeside(as, () => add(as, b, { reactions: [reaction("x", "u")] }));
  expect(await placesOf(as, "v")).toEqual({});
  expect(await placesOf(as, "u")).toEqual({ x: b });
});
