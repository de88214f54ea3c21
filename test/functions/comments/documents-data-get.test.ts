import { beforeAll, describe, expect, it } from "vitest";
import { documentsDataGet } from "../../../functions/comments/documents-data-get.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { add, documentId, newDocument, person, reaction, remove, update } from "../../support/feature-data.ts";
import { allPages, expectRefused, forged } from "../../support/paging.ts";
import { issuesOf, oddIds, organizationId } from "../../support/workspace.ts";

const listing = { endpoint: documentsDataGet, member: "items" };
const [a, b] = [{ id: "a" }, { id: "b", name: "B" }];
const of = (kind: string, more: object = {}) => ({ organizationId, documentId, kind, ...more });
const get = (as: Credentials, data: object) => must(documentsDataGet, { as, data });
const idsOf = async (as: Credentials, more: object = {}, kind = "comments") =>
  (await allPages(listing, as, { ...of(kind, more), pageSize: 3 })).map(
    ({ annotationId, reactionId }) => (kind === "comments" ? annotationId : reactionId) as string,
  );
const day = (number: number) => `2026-01-${String(number).padStart(2, "0")}T00:00:00Z`;
const annotation = (annotationId: string, more: object = {}) => ({ annotationId, from: person("ann"), ...more });

/** Annotations of five days: `1` to `5`. */
const five = [
  annotation("1", { createdAt: day(1), status: "OPEN", priority: "P1", assignedTo: person("bob") }),
  annotation("2", { createdAt: day(2), status: "DONE", from: person("carl"), updatedAt: day(20) }),
  annotation("3", {
    createdAt: day(3),
    status: "OPEN",
    comments: [{ commentId: "c", from: person("bob"), taggedUsers: [person("dan")] }],
  }),
  annotation("4", { createdAt: day(4), status: "WAITING", priority: "P2", updatedAt: day(10) }),
  annotation("5", { createdAt: "2026-01-04T23:30:00-01:00", updatedAt: day(5) }),
];

describe("OK", () => {
  let as: Credentials;
  beforeAll(async () => {
    as = await newDocument();
    await add(as, a, { comments: five.slice(0, 3), reactions: [reaction("r", "ann")] });
    await add(as, b, { comments: five.slice(3) });
  });

  it("returns each item as the export does, newest first, and the other kinds apart", async () => {
    const where = { organizationId, documentId };
    expect(await get(as, of("comments", { pageSize: 2 }))).toEqual({
      items: [
        { ...five[4], ...where, location: b },
        { ...five[3], ...where, location: b },
      ],
      nextPageToken: expect.any(String),
    });
    expect(await get(as, of("reactions"))).toEqual({
      items: [{ ...reaction("r", "ann"), ...where, location: a }],
      nextPageToken: null,
    });
    expect(await get(as, of("recordings"))).toEqual({ items: [], nextPageToken: null });
  });

  it.each([
    ["oldest first", { order: "oldest" }, ["1", "2", "3", "4", "5"]],
    ["newest first", { order: "newest" }, ["5", "4", "3", "2", "1"]],
    ["one location", { location: { id: "b" } }, ["5", "4"]],
    ["an unknown location", { location: { id: "no" } }, []],
    ["ids, in the order of the list", { ids: ["2", "no", "4", "2"] }, ["4", "2"]],
    ["ids, oldest first", { ids: ["5", "4", "1", "3"], order: "oldest" }, ["1", "3", "4", "5"]],
    ["ids in a location", { ids: ["2", "4"], location: a }, ["2"]],
    ["a status", { filters: { status: "OPEN" } }, ["3", "1"]],
    ["several statuses", { filters: { status: ["OPEN", "WAITING"] } }, ["4", "3", "1"]],
    ["a priority", { filters: { priority: "P1" } }, ["1"]],
    ["an assigned user", { filters: { assignedTo: "bob" } }, ["1"]],
    ["an author", { filters: { from: "carl" } }, ["2"]],
    ["a mentioned user", { filters: { mentions: "dan" } }, ["3"]],
    ["a replier, who is not mentioned", { filters: { mentions: "bob" } }, []],
    ["several filters", { filters: { status: "OPEN", assignedTo: "bob" }, ids: ["1", "3"] }, ["1"]],
    ["createdAfter", { filters: { createdAfter: day(3) } }, ["5", "4"]],
    [
      "createdAfter in ms, oldest first",
      { filters: { createdAfter: Date.parse(day(1)) }, order: "oldest" },
      ["2", "3", "4", "5"],
    ],
    ["createdAfter of ids", { filters: { createdAfter: day(3) }, ids: ["1", "4"] }, ["4"]],
    ["createdAfter above all", { filters: { createdAfter: 253_402_300_799_999 } }, []],
    ["createdAfter below all", { filters: { createdAfter: 0 } }, ["5", "4", "3", "2", "1"]],
    ["updatedAfter: the item's own, or the last write", { filters: { updatedAfter: day(15) } }, ["3", "2", "1"]],
  ])("lists %s, also in small pages", async (_, more, expected) => {
    expect(await idsOf(as, more)).toEqual(expected);
    expect(
      (await get(as, of("comments", more))).items.map((each: { annotationId: string }) => each.annotationId),
    ).toEqual(expected);
  });

  it("keeps the order when an item is replaced, and shows its fields as they are now", async () => {
    const as = await newDocument();
    await add(as, a, { comments: five });
    await add(as, a, { comments: [annotation("2", { createdAt: day(30), status: "OPEN" })] });
    expect(await idsOf(as, { order: "oldest" })).toEqual(["1", "2", "3", "4", "5"]);
    expect(await idsOf(as, { filters: { status: "OPEN" } })).toEqual(["3", "2", "1"]);
    expect(await idsOf(as, { filters: { status: "DONE" } })).toEqual([]);
  });

  it("lists items without a createdAt by the time of their first write, equal times by id", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: ["c", "a", "b"].map((id) => reaction(id)) });
    expect(await idsOf(as, {}, "reactions")).toEqual(["c", "b", "a"]);
    expect(await idsOf(as, { order: "oldest" }, "reactions")).toEqual(["a", "b", "c"]);
  });

  it("follows locations that are renamed and merged, and shows nothing of deleted ones", async () => {
    const as = await newDocument();
    for (const id of ["a", "b", "c"]) await add(as, { id }, { reactions: [reaction(id)] });
    await update(as, { id: "a" }, { id: "d" });
    await update(as, { id: "b" }, { id: "d" }, { merge: true });
    expect((await idsOf(as, { location: { id: "d" } }, "reactions")).sort()).toEqual(["a", "b"]);
    await remove(as, { id: "d" });
    expect(await idsOf(as, {}, "reactions")).toEqual(["c"]);
    expect(await idsOf(as, { ids: ["a", "b", "c"] }, "reactions")).toEqual(["c"]);
  });

  it("returns any id and any value", async () => {
    const as = await newDocument();
    await add(as, a, { comments: oddIds.map((id) => annotation(id, { status: id, assignedTo: person(id) })) });
    expect((await idsOf(as, { ids: oddIds })).sort()).toEqual([...oddIds].sort());
    for (const id of oddIds) {
      expect(await idsOf(as, { filters: { status: id, assignedTo: id } })).toEqual([id]);
    }
  });

  it("ends a page before 4 MB", async () => {
    const as = await newDocument();
    const text = "x".repeat(60_000);
    const large = (id: string) => annotation(id, { metadata: { text, more: text, again: text, last: text } });
    for (let first = 0; first < 20; first += 10) {
      await add(as, a, { comments: Array.from({ length: 10 }, (_, index) => large(`${first + index}`)) });
    }
    const { items, nextPageToken } = await get(as, of("comments", { pageSize: 100 }));
    expect(items).toHaveLength(16);
    expect((await get(as, of("comments", { pageSize: 100, pageToken: nextPageToken }))).items).toHaveLength(4);
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing document", async () => {
    const as = await newDocument();
    expect((await call(documentsDataGet, { as, data: of("comments", { documentId: "no" }) })).error?.status).toBe(
      "NOT_FOUND",
    );
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["an unknown kind", { kind: "notes" }, ["kind"]],
    ["an unknown order", { order: "up" }, ["order"]],
    ["no ids", { ids: [] }, ["ids"]],
    ["101 ids", { ids: Array.from({ length: 101 }, (_, index) => `${index}`) }, ["ids"]],
    ["a status that is no string", { filters: { status: 7 } }, ["filters.status"]],
    [
      "a time that is none",
      { filters: { createdAfter: "soon", updatedAfter: -1 } },
      ["filters.updatedAfter", "filters.createdAfter"],
    ],
    ["an invalid location", { location: {} }, ["location"]],
  ])("is returned for %s", async (_, more, paths) => {
    expect(await issuesOf(documentsDataGet, await newDocument(), of("comments", more))).toEqual(paths);
  });

  it("is returned for a token of another list, order or filter, or a forged one", async () => {
    const as = await newDocument();
    await add(as, a, { comments: five });
    const data = of("comments", { pageSize: 1 });
    const { nextPageToken: pageToken } = await get(as, data);
    for (const more of [
      { kind: "reactions" },
      { order: "oldest" },
      { filters: { status: "OPEN" } },
      { ids: ["1"] },
      { location: a },
    ]) {
      await expectRefused(listing, as, { ...data, ...more, pageToken });
    }
    for (const token of forged(pageToken)) await expectRefused(listing, as, { ...data, pageToken: token });
  });
});
