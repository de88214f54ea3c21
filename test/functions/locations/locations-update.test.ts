import { describe, expect, it } from "vitest";
import { handler, locationsUpdate } from "../../../functions/locations/locations-update.ts";
import { locationEntity, locationNodeEntity } from "../../../lib/store/content/location.ts";
import { featureEntity } from "../../../lib/store/features/feature.ts";
import type { DocumentUid, LocationUid } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { add, callsOf, documentId, newDocument, placesOf, reaction, update } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { keyText, mocked, oddIds, organizationId } from "../../support/workspace.ts";

const [a, b] = [{ id: "a" }, { id: "b" }];

describe("OK", () => {
  it("takes a numeric id for its decimal string", async () => {
    const as = await newDocument();
    await add(as, { id: 7, page: 1 }, { reactions: [reaction("r")] });
    expect(await placesOf(as)).toEqual({ r: { id: "7", page: 1 } });
    await update(as, { id: "7" }, { id: 1.5 });
    expect(await placesOf(as)).toEqual({ r: { id: "1.5" } });
    await update(as, { id: 1.5 }, { id: Number.MAX_SAFE_INTEGER });
    expect(await placesOf(as)).toEqual({ r: { id: "9007199254740991" } });
  });

  it("returns null, and replaces the other fields when the identity stays", async () => {
    const as = await newDocument();
    await add(as, { id: "a", locationName: "A", page: 1 }, { reactions: [reaction("r")] });
    const reply = await update(as, a, { id: "a", zoom: 2 });
    expect(reply.body).toEqual({ result: { status: "success", message: "Location updated.", data: null } });
    expect(await placesOf(as)).toEqual({ r: { id: "a", zoom: 2 } });
    await update(as, a, { id: "a", page: { of: [1, null, 1.5e-7] } }, { merge: true });
    expect(await placesOf(as)).toEqual({ r: { id: "a", zoom: 2, page: { of: [1, null, 1.5e-7] } } });
  });

  it("moves the data when the identity changes", async () => {
    const as = await newDocument();
    await add(as, { id: "a", page: 1 }, { reactions: [reaction("r")] });
    await update(as, a, { id: "b", zoom: 2 });
    expect(await placesOf(as)).toEqual({ r: { id: "b", zoom: 2 } });
    await update(as, b, { locationName: "named" });
    await add(as, { locationName: "named" }, { reactions: [reaction("r2")] });
    await add(as, a, { reactions: [reaction("r3")] });
    expect(await placesOf(as)).toEqual({ r: { locationName: "named" }, r2: { locationName: "named" }, r3: a });
  });

  it("with merge, keeps the old fields and an old id", async () => {
    const as = await newDocument();
    await add(as, { id: "a", page: 1 }, { reactions: [reaction("r")] });
    await update(as, a, { id: "b", zoom: 2 }, { merge: true });
    await update(as, b, { locationName: "B" }, { merge: true });
    expect(await placesOf(as)).toEqual({ r: { id: "b", page: 1, zoom: 2, locationName: "B" } });
  });

  it("creates a missing location", async () => {
    const as = await newDocument();
    await update(as, { id: "missing" }, { id: "a", page: 1 });
    await add(as, { id: "a", page: 7 }, { reactions: [reaction("r")] });
    expect(await placesOf(as)).toEqual({ r: { id: "a", page: 1 } });
  });

  it("with merge, moves the data into an existing location", async () => {
    const as = await newDocument();
    await add(as, { id: "a", page: 1 }, { reactions: [reaction("ra")] });
    await add(as, { id: "b", zoom: 2 }, { reactions: [reaction("rb")] });
    expect((await update(as, a, { id: "b", colour: "red" }, { merge: true })).error).toBeUndefined();
    const merged = { id: "b", zoom: 2, colour: "red" };
    expect(await placesOf(as)).toEqual({ ra: merged, rb: merged });
    await add(as, a, { reactions: [reaction("new")] });
    expect(await placesOf(as)).toEqual({ ra: merged, rb: merged, new: a });
  });

  it("distinguishes an id from an equal name, and accepts any id", async () => {
    const as = await newDocument();
    for (const id of oddIds) await update(as, { id }, { id, locationName: "same", kind: "id" });
    for (const id of oddIds) await add(as, { id }, { reactions: [reaction(id)] });
    await add(as, { locationName: "a" }, { reactions: [reaction("named")] });
    await add(as, a, { reactions: [reaction("by id")] });
    const places = await placesOf(as);
    expect(places.named).toEqual({ locationName: "a" });
    expect(places["by id"]).toEqual(a);
    for (const id of oddIds) expect(places[id]).toEqual({ id, locationName: "same", kind: "id" });
  });

  it("needs no organizationId when one organization has the document", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: [reaction("r")] });
    expect((await update(as, a, b, { organizationId: undefined })).error).toBeUndefined();
    expect(await placesOf(as)).toEqual({ r: b });
  });

  it("writes an event with the old and the new location when the workspace wants it", async () => {
    const as = await newDocument();
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: ["location.update"] });
    await update(as, a, { id: "a", page: 1 });
    await update(as, a, b, { merge: true });
    const events = (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events as object[]);
    const [of, type] = [{ organizationId, documentId, workspace: as.apiKey }, "location.update"];
    expect(events).toHaveLength(2);
    expect(events).toEqual(
      expect.arrayContaining([
        { ...of, type, data: { oldLocation: a, newLocation: { id: "a", page: 1 } } },
        { ...of, type, data: { oldLocation: { id: "a", page: 1 }, newLocation: { id: "b", page: 1 } } },
      ]),
    );
  });
});

describe("concurrent calls", () => {
  it("make one location with all data when two locations are merged into each other", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: [reaction("ra")] });
    await add(as, b, { reactions: [reaction("rb")] });
    await Promise.all([update(as, a, b, { merge: true }), update(as, b, a, { merge: true })]);
    const places = await placesOf(as);
    expect(Object.keys(places).sort()).toEqual(["ra", "rb"]);
    expect(places.ra).toEqual(places.rb);
  });

  it("keep all data when several locations are merged into one", async () => {
    const as = await newDocument();
    const ids = Array.from({ length: 4 }, (_, index) => `l${index}`);
    await Promise.all(ids.map((id) => add(as, { id }, { reactions: [reaction(id)] })));
    const merged = ids.map((id) => update(as, { id }, { id: "all", [id]: true }, { merge: true }));
    expect((await Promise.all(merged)).map(({ error }) => error?.message)).toEqual(ids.map(() => undefined));
    const all = { id: "all", ...Object.fromEntries(ids.map((id) => [id, true])) };
    expect(await placesOf(as)).toEqual(Object.fromEntries(ids.map((id) => [id, all])));
  });
});

describe("AWS calls", () => {
  const location = (id: string, size: number) => {
    const [documentUid, locationUid, identity] = ["x" as DocumentUid, id as LocationUid, `id:${id}`];
    const ref = { workspace: "w", documentUid, locationUid, identity };
    const node = { documentUid, locationUid, identity, location: `{"id":"${id}"}`, size, rev: "1" };
    return [locationEntity.put(ref, { locationUid, size }).put, locationNodeEntity.put(ref, node).put];
  };
  const head = [
    `BatchGet W#w SETTING#webhooks, ${keyText.document("d")}, W#w#O#o ORG`,
    "BatchGet W#w#X#x LOCATION#id:a, W#w#X#x LOCATION#id:b",
  ];
  const data = { ...mocked.as, organizationId, documentId, migrate: { oldLocation: a, newLocation: b } };

  it.each([10, 1_000])("renames a location with %i items in three reads and one transaction", async (count) => {
    const ref = { workspace: "w", documentUid: "x" as DocumentUid, locationUid: "a" as LocationUid };
    const items = Array.from({ length: count }, (_, id) =>
      featureEntity.key({ ...ref, kind: "comments", id: String(id) }),
    );
    const table = [...mocked.rows, mocked.document, ...location("a", 1), ...items];
    const { status, calls } = await callsOf(handler, locationsUpdate, data, table);
    expect(status).toBe(200);
    expect(calls).toEqual([
      ...head,
      "Get W#w#X#x L#a",
      "TransactWrite Delete W#w#X#x LOCATION#id:a if {locationUid}, Put W#w#X#x LOCATION#id:b if absent, " +
        "Update W#w#X#x L#a if {rev}",
    ]);
  });

  it.each([1, 249])(
    "merges the smaller tree of locations into the larger in three reads and one transaction, at size %i",
    async (size) => {
      const table = [...mocked.rows, mocked.document, ...location("a", size + 1), ...location("b", size)];
      const { status, calls } = await callsOf(handler, locationsUpdate, { ...data, merge: true }, table);
      expect(status).toBe(200);
      expect(calls).toEqual([
        ...head,
        "BatchGet W#w#X#x L#a, W#w#X#x L#b",
        "TransactWrite Delete W#w#X#x LOCATION#id:a if {locationUid}, Put W#w#X#x LOCATION#id:b if {locationUid}, " +
          "Update W#w#X#x L#a if {rev}, Update W#w#X#x L#b if {rev}, Put W#w#X#x#L#a MERGED#b",
      ]);
    },
  );

  it("refuses to merge more than 500 locations into one", async () => {
    const table = [...mocked.rows, mocked.document, ...location("a", 251), ...location("b", 250)];
    const { status, calls } = await callsOf(handler, locationsUpdate, { ...data, merge: true }, table);
    expect(status).toBe(429);
    expect(calls).toEqual([...head, "BatchGet W#w#X#x L#a, W#w#X#x L#b"]);
  });
});
