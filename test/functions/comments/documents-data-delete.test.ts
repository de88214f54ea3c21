import { describe, expect, it } from "vitest";
import { documentsDataDelete, handler } from "../../../functions/comments/documents-data-delete.ts";
import { locationNodeEntity } from "../../../lib/store/content/location.ts";
import * as Feature from "../../../lib/store/features/feature.ts";
import type { DocumentUid, LocationUid } from "../../../lib/store/refs.ts";
import { eventsOf, expectConsistent, get, remove, wantEvents } from "../../support/comments.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import {
  add,
  callsOf,
  documentId,
  exportOf,
  newDocument,
  person,
  reaction,
  reactions,
  remove as removeLocation,
} from "../../support/feature-data.ts";
import { storedOf } from "../../support/refusal.ts";
import { issuesOf, keyText, mocked, newOrganization, oddIds, organizationId } from "../../support/workspace.ts";

fakeDates();
const [a, b] = [{ id: "a" }, { id: "b" }];
const annotation = (annotationId: string, more: object = {}) => ({ annotationId, from: person("u"), ...more });
const deleted = (id: string) => ({ success: true, id, message: "Deleted." });
const missing = (id: string) => ({ success: true, id, message: "The item does not exist." });

describe("OK", () => {
  it("deletes items of each kind with all that belongs to them, and tells who did it", async () => {
    const as = await newDocument();
    const before = Object.keys(await storedOf(as));
    await add(as, a, {
      comments: [annotation("x", { assignedTo: person("v") }), annotation("y")],
      reactions: [reaction("x")],
      recordings: [{ recordingId: "x", from: person("u") }],
      silent: true,
    });
    await wantEvents(as);
    expect((await remove(as, ["x", "no", "x"], { actionUser: person("w") })).data).toEqual({
      x: deleted("x"),
      no: missing("no"),
    });
    expect((await exportOf(as)).comments).toHaveLength(1);
    expect((await exportOf(as, "v")).comments).toEqual([]);
    // Events of the same millisecond have no order.
    later(1);
    await remove(as, ["y"]);
    later(1);
    await remove(as, ["x"], { kind: "reactions", actionUser: person("w") });
    later(1);
    await remove(as, ["x"], { kind: "recordings" });
    expect(await eventsOf(as)).toEqual([
      ["comment_annotation.delete", { annotationId: "x", actionUserId: "w" }],
      ["comment_annotation.delete", { annotationId: "y" }],
      ["reaction.delete", { reactionId: "x", actionUserId: "w" }],
      ["recorder.delete", { recordingId: "x" }],
    ]);
    const rest = Object.keys(await storedOf(as)).filter(
      (name) => !before.includes(name) && !/JOB#|HOOK|SETTING/.test(name),
    );
    expect(rest).toEqual([
      expect.stringContaining(" L#"),
      expect.stringContaining(" LOCATION#"),
      expect.stringContaining("OWNER"),
    ]);
  });

  it("deletes 1,000 items and any id, and the ids can be added again anywhere", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: reactions(1_000) });
    const { data } = await remove(
      as,
      reactions(1_000).map(({ reactionId }) => reactionId),
      { kind: "reactions" },
    );
    expect(new Set(Object.values(data).map((each) => (each as { message: string }).message))).toEqual(
      new Set(["Deleted."]),
    );
    await add(as, a, { comments: oddIds.map((id) => annotation(id)) });
    await remove(as, [...oddIds]);
    expect(await get(as)).toEqual([]);
    await add(as, b, { comments: oddIds.map((id) => annotation(id)) });
    expect(await get(as)).toHaveLength(oddIds.length);
    await expectConsistent(as);
  });

  it("finds nothing in deleted locations", async () => {
    const as = await newDocument();
    await add(as, a, { comments: [annotation("x")] });
    await removeLocation(as, a);
    await wantEvents(as);
    expect((await remove(as, ["x"])).data).toEqual({ x: missing("x") });
    expect(await eventsOf(as)).toEqual([]);
  });

  it("never leaves anything of an item that is deleted and added elsewhere at the same time", async () => {
    const as = await newDocument();
    for (let round = 0; round < 12; round++) {
      await Promise.all([
        add(as, a, { comments: [annotation("x", { assignedTo: person("v") })] }),
        remove(as, ["x"]),
        add(as, b, { comments: [annotation("x")] }),
      ]);
      await expectConsistent(as);
      expect((await get(as)).length).toBeLessThanOrEqual(1);
    }
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing document and another workspace's, and nothing is deleted", async () => {
    const [as, other] = [await newDocument(), await newOrganization()];
    await add(as, a, { comments: [annotation("x")] });
    const before = await storedOf(as);
    for (const [who, more] of [
      [as, { documentId: "no" }],
      [other, {}],
    ] as const) {
      expect((await remove(who, ["x"], more)).error?.status).toBe("NOT_FOUND");
    }
    expect(await storedOf(as)).toEqual(before);
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["an unknown kind", { kind: "notes" }, ["kind"]],
    ["no ids", { ids: [] }, ["ids"]],
    ["an unknown field", { location: a }, ["location"]],
  ])("is returned for %s", async (_, more, paths) => {
    const data = { organizationId, documentId, kind: "comments", ids: ["x"], ...more };
    expect(await issuesOf(documentsDataDelete, await newDocument(), data)).toEqual(paths);
  });
});

describe("AWS calls", () => {
  it("are four reads and one transaction", async () => {
    const at = "2026-01-01T00:00:00.000Z";
    const location = { workspace: "w", documentUid: "x" as DocumentUid, locationUid: "l" as LocationUid };
    const ref = { ...location, organizationId, kind: "reactions" as const, id: "r" };
    const { writes } = Feature.creation(ref, { record: JSON.stringify(reaction("r")), participants: ["u"], at });
    const node = { ...location, identity: "id:a", location: "{}", size: 1, rev: "1" };
    const items = writes.flatMap((write) => ("put" in write ? [write.put] : []));
    const table = [...mocked.rows, mocked.document, locationNodeEntity.put(location, node).put, ...items];
    const data = { organizationId, documentId, kind: "reactions", ids: ["r"] };
    const { calls } = await callsOf(handler, documentsDataDelete, data, table);
    expect(calls).toEqual([
      expect.stringContaining(keyText.document("d")),
      "Get W#w#X#x FEATURE-ID#reactions#r",
      "Get W#w#X#x L#l",
      "Get W#w#X#x#L#l reactions#r",
      `TransactWrite Delete W#w#X#x#L#l reactions#r if {rev}, Delete W#w#X#x FEATURE#reactions#${at}#r#l, ` +
        `Delete W#w#O#o#UP#u#reactions ${at}#l#r, Delete W#w#X#x FEATURE-ID#reactions#r if {locationUid & position}`,
    ]);
  });
});
