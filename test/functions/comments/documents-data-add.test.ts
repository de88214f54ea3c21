import { describe, expect, it } from "vitest";
import { documentsDataAdd, handler } from "../../../functions/comments/documents-data-add.ts";
import { locationEntity } from "../../../lib/store/content/location.ts";
import { ownerEntity } from "../../../lib/store/content/owner.ts";
import type { DocumentUid, LocationUid } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type Credentials, call } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { expectConsistent } from "../../support/comments.ts";
import {
  add,
  callsOf,
  documentId,
  exportOf,
  newDocument,
  person,
  placesOf,
  reaction,
  reactions,
  remove,
  update,
} from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { storedOf } from "../../support/refusal.ts";
import { issuesOf, keyText, mocked, newOrganization, oddIds, organizationId } from "../../support/workspace.ts";

const [a, b] = [{ id: "a" }, { id: "b" }];
const people = (count: number, from = 0) => Array.from({ length: count }, (_, index) => person(`p${from + index}`));
const annotation = (annotationId: string, more: object = {}) => ({ annotationId, from: person("u"), ...more });
const tagging = (users: object[]) => ({ comments: [{ commentId: "c", from: person("u"), taggedUsers: users }] });

const eventsOf = async (as: Credentials) =>
  (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events as { type: string; data: object }[]);

/** The users who have an entry of a comment annotation. */
const entriesOf = async (as: Credentials) =>
  Object.keys(await storedOf(as))
    .flatMap((name) => /#UP#([^#]+)#comments /.exec(name)?.[1] ?? [])
    .sort();

describe("OK", () => {
  it("adds items of each kind, returns results by id, and replaces an item with the same id and location", async () => {
    const as = await newDocument();
    const features = {
      comments: [annotation("x", { status: "OPEN" })],
      reactions: [reaction("x"), reaction("x", "other")],
      recordings: [{ recordingId: "x", from: person("u"), durationSeconds: 1.5 }],
    };
    const result = (message: string) => ({ x: { success: true, id: "x", message } });
    const all = (message: string) => ({
      comments: result(message),
      reactions: result(message),
      recordings: result(message),
    });
    expect(await add(as, a, features)).toEqual(all("Added."));
    const before = await storedOf(as);
    expect(await add(as, a, features)).toEqual(all("Unchanged."));
    expect(await storedOf(as)).toEqual(before);
    const changed = annotation("x", { status: "DONE", createdAt: "2026-01-01T00:00:00Z" });
    expect((await add(as, a, { comments: [changed] })).comments).toEqual(result("Replaced."));
    const { comments, reactions, recordings } = await exportOf(as);
    expect(comments).toEqual([{ ...changed, organizationId, documentId, location: a }]);
    expect([reactions.length, recordings.length]).toEqual([1, 1]);
  });

  it("refuses an id that another location of the document has, until that one is deleted", async () => {
    const as = await newDocument();
    const features = {
      comments: [annotation("x")],
      reactions: [reaction("x")],
      recordings: [{ recordingId: "x", from: person("u") }],
    };
    const message = "Another location of the document has this id.";
    const refused = { x: { success: false, id: "x", message, code: "already-exists" } };
    await add(as, a, features);
    expect(await add(as, b, features)).toEqual({ comments: refused, reactions: refused, recordings: refused });
    expect(await add(as, b, { reactions: [reaction("y"), reaction("x")] })).toMatchObject({
      reactions: { y: { success: true, message: "Added." }, ...refused },
    });
    expect(await placesOf(as)).toEqual({ x: a, y: b });
    await remove(as, a);
    expect(await add(as, b, features)).toMatchObject({ reactions: { x: { message: "Added." } } });
    expect(await placesOf(as)).toEqual({ x: b, y: b });
    expect((await add(as, a, features)).reactions).toEqual(refused);
  });

  it("adds no location for items that another location has, also when it got them at the same time", async () => {
    const as = await newDocument();
    const locationsOf = async () => Object.keys(await storedOf(as)).filter((name) => name.includes(" LOCATION#"));
    await add(as, a, { reactions: [reaction("x")] });
    await add(as, b, { reactions: [reaction("x")] });
    expect(await locationsOf()).toHaveLength(1);
    for (let round = 0; round < 10; round++) {
      const items = { reactions: [reaction(`${round}`)], recordings: [{ recordingId: `${round}`, from: person("u") }] };
      const places = ["c", "d", "e"].map((name) => ({ id: `${name}${round}` }));
      const replies = await Promise.all(places.map((place) => add(as, place, items)));
      const isAdded = replies.map(({ reactions, recordings }) =>
        [reactions, recordings].some((each) => each[round].success),
      );
      const stored = (await locationsOf()).filter((name) => name.endsWith(`${round}`));
      expect(stored).toHaveLength(isAdded.filter(Boolean).length);
    }
    await expectConsistent(as);
  });

  it("writes an entry of an annotation for its author, repliers, mentioned users and assigned user", async () => {
    const as = await newDocument();
    const comments = [
      { commentId: "1", from: person("replier"), taggedUsers: [person("mentioned")] },
      { commentId: "2", from: person("author") },
    ];
    await add(as, a, {
      comments: [{ annotationId: "x", from: person("author"), assignedTo: person("assigned"), comments }],
    });
    expect(await entriesOf(as)).toEqual(["assigned", "author", "mentioned", "replier"]);
    for (const user of await entriesOf(as)) expect((await exportOf(as, user)).comments).toHaveLength(1);
  });

  it.each([
    ["a few", people(3, 2)],
    ["one", people(1)],
    ["79 other users, which takes several transactions", people(79, 100)],
  ])("adds and deletes entries when the participants change to %s", async (_, users) => {
    const as = await newDocument();
    await add(as, a, { comments: [annotation("x", tagging(people(79)))] });
    await add(as, a, { comments: [annotation("x", tagging(users))] });
    expect(await entriesOf(as)).toEqual(["u", ...users.map(({ userId }) => userId)].sort());
    expect(Object.keys(await storedOf(as)).filter((name) => name.endsWith("#FORMER"))).toEqual([]);
    await add(as, a, { comments: [annotation("x", tagging(people(79)))] });
    expect(await entriesOf(as)).toHaveLength(80);
  });

  it("replaces items that a merge brought into the location", async () => {
    const as = await newDocument();
    for (const id of ["l1", "l2", "l3"]) await add(as, { id }, { reactions: [reaction(id)] });
    await update(as, { id: "l1" }, { id: "l2" }, { merge: true });
    await update(as, { id: "l2" }, { id: "l3" }, { merge: true });
    for (const id of ["l1", "l2", "l3"]) {
      const changed = { ...reaction(id), icon: "👍" };
      expect((await add(as, { id: "l3" }, { reactions: [changed] })).reactions[id].message).toBe("Replaced.");
    }
    const { reactions } = await exportOf(as);
    expect(reactions.map(({ icon }: { icon: string }) => icon)).toEqual(["👍", "👍", "👍"]);
  });

  it("reads as much for a location with many merged ones as for a single one", async () => {
    const as = await newDocument();
    const names = Array.from({ length: 12 }, (_, index) => ({ id: `l${index}` }));
    for (const location of names) await add(as, location, { reactions: [reaction(location.id)] });
    for (const location of names.slice(1)) await update(as, location, names[0] as object, { merge: true });
    const unitsOfLast = () => logs().findLast(({ endpoint }) => endpoint === documentsDataAdd.name)?.readUnits;
    await add(as, names[0] as object, { reactions: reactions(1_000) });
    expect(unitsOfLast()).toBeLessThan(1_100);
    await add(as, names[0] as object, { reactions: reactions(1_000, "v") });
    expect(unitsOfLast()).toBeLessThan(2_100);
  });

  it("accepts 1,000 items, any id, and 200 comments of an annotation, and writes all their events", async () => {
    const as = await newDocument();
    await Setting.update({ workspace: as.apiKey }, "webhooks", {
      wantedEvents: ["comment.add", "comment_annotation.add", "reaction.add"],
    });
    await add(as, a, { reactions: reactions(1_000) });
    await add(as, b, { reactions: oddIds.map((id) => reaction(id, id)) });
    for (const id of oddIds) expect(await placesOf(as, id)).toEqual(JSON.parse(JSON.stringify({ [id]: b })));
    const long = "🦜".repeat(250);
    const comments = Array.from({ length: 200 }, (_, index) => ({ commentId: `${long}${index}`, from: person("u") }));
    const threads = [0, 1, 2].map((index) => annotation(`${long}${index}`, { comments }));
    await add(as, { id: "c", more: "x".repeat(16_000) }, { comments: threads });
    const types = (await eventsOf(as)).map(({ type }) => type);
    const count = (type: string) => types.filter((each) => each === type).length;
    expect(count("reaction.add")).toBe(1_000 + oddIds.length);
    expect([count("comment_annotation.add"), count("comment.add")]).toEqual([3, 600]);
  });

  it("writes events for new items only, and none with `silent`", async () => {
    const as = await newDocument();
    const wantedEvents = ["comment.add", "comment_annotation.add", "reaction.add", "recorder.done"];
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents });
    const first = { commentId: "1", from: person("u") };
    await add(as, a, { comments: [annotation("x", { comments: [first] })], reactions: [reaction("r")], silent: true });
    expect(await eventsOf(as)).toEqual([]);
    const second = { commentId: "2", from: person("v") };
    await add(as, a, {
      comments: [annotation("x", { comments: [first, second] }), annotation("y")],
      reactions: [reaction("r")],
      recordings: [{ recordingId: "v", from: person("u") }],
    });
    const events = (await eventsOf(as)).map(({ type, data }) => ({ type, data }));
    expect(events).toHaveLength(3);
    expect(events).toEqual(
      expect.arrayContaining([
        { type: "comment.add", data: { annotationId: "x", commentId: "2", from: "v" } },
        { type: "comment_annotation.add", data: { annotationId: "y", from: "u", location: a } },
        { type: "recorder.done", data: { recordingId: "v", from: "u" } },
      ]),
    );
  });

  it("stores one item when concurrent calls add the same id", async () => {
    const as = await newDocument();
    await Promise.all(
      people(5).map(({ userId }) => add(as, a, { comments: [annotation("x", { assignedTo: person(userId) })] })),
    );
    const { comments } = await exportOf(as);
    expect(comments).toHaveLength(1);
    expect(await entriesOf(as)).toEqual([comments[0].assignedTo.userId, "u"].sort());
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing document and another workspace's, and nothing is stored", async () => {
    const [as, other] = [await newDocument(), await newOrganization()];
    const before = await storedOf(as);
    const data = { organizationId, documentId, location: a, reactions: [reaction("r")] };
    for (const [who, more] of [
      [as, { documentId: "no" }],
      [other, {}],
    ] as const) {
      expect((await call(documentsDataAdd, { as: who, data: { ...data, ...more } })).error?.status).toBe("NOT_FOUND");
    }
    expect(await storedOf(as)).toEqual(before);
  });
});

describe("INVALID_ARGUMENT", () => {
  const many = Array.from({ length: 501 }, (_, index) => reaction(`r${index}`));
  const large = Array.from({ length: 5 }, (_, index) => ({
    commentId: `${index}`,
    from: person("u"),
    text: "x".repeat(60_000),
  }));
  const bad: [string, object, string[]][] = [
    ["a request without items", {}, [""]],
    ["empty lists", { comments: [], reactions: [] }, [""]],
    [
      "1,001 items over two lists",
      { reactions: many, recordings: many.slice(1).map(({ from }, index) => ({ recordingId: `${index}`, from })) },
      [""],
    ],
    ["a missing author", { reactions: [{ reactionId: "r" }] }, ["reactions.0.from"]],
    ["a missing id", { comments: [{ from: person("u") }] }, ["comments.0.annotationId"]],
    ["81 participants", { comments: [annotation("x"), annotation("y", tagging(people(80)))] }, ["comments.1"]],
    [
      "20,001 participants in all",
      {
        comments: [
          ...Array.from({ length: 250 }, (_, index) => annotation(`${index}`, tagging(people(79)))),
          annotation("last"),
        ],
      },
      [""],
    ],
    ["a record over 256 KB", { comments: [annotation("x", { comments: large })] }, ["comments.0"]],
    [
      "a text over 64 KB",
      { comments: [annotation("x", { comments: [{ ...large[0], text: "x".repeat(65_537) }] })] },
      ["comments.0.comments.0.text"],
    ],
    [
      "a text over 64 KB in metadata",
      { reactions: [{ ...reaction("r"), metadata: { a: ["x".repeat(65_537)] } }] },
      ["reactions.0.metadata"],
    ],
    [
      "201 comments",
      { comments: [annotation("x", { comments: Array(201).fill({ commentId: "c", from: person("u") }) })] },
      ["comments.0.comments"],
    ],
    [
      "a time that is not a date",
      { reactions: [{ ...reaction("r"), createdAt: "yesterday" }] },
      ["reactions.0.createdAt"],
    ],
    [
      "a date that does not exist",
      { comments: [annotation("x", { createdAt: "2026-02-30T00:00:00Z" })] },
      ["comments.0.createdAt"],
    ],
    ["a missing location", { location: undefined, reactions: [reaction("r")] }, ["location"]],
  ];

  it.each(bad)("is returned for %s, and nothing is stored", async (_, more, paths) => {
    const as = await newDocument();
    const before = await storedOf(as);
    expect(await issuesOf(documentsDataAdd, as, { organizationId, documentId, location: a, ...more })).toEqual(paths);
    expect(await storedOf(as)).toEqual(before);
  });
});

describe("AWS calls", () => {
  it.each([1, 21])("adds %i items in three reads and one transaction", async (count) => {
    const ref = { workspace: "w", documentUid: "x" as DocumentUid, identity: "id:a" };
    const pointer = locationEntity.put(ref, { locationUid: "l" as LocationUid, size: 1 }).put;
    const owner = ownerEntity.put(ref, { organizationId, documentId }).put;
    const data = { organizationId, documentId, location: a, reactions: reactions(count) };
    const table = [...mocked.rows, mocked.document, pointer, owner];
    const { status, calls } = await callsOf(handler, documentsDataAdd, data, table);
    expect(status).toBe(200);
    expect(calls).toEqual([
      `BatchGet W#w SETTING#webhooks, ${keyText.document("d")}, W#w#O#o ORG`,
      "BatchGet W#w#X#x LOCATION#id:a, W#w#X#x OWNER",
      expect.stringMatching(/^(?:Batch)?Get W#w#X#x FEATURE-ID#reactions#r0/),
      expect.stringMatching(
        /^TransactWrite(?:,? Put W#w#X#x#L#l \S+ if absent, Put W#w#X#x FEATURE#reactions#\S+#l, Put W#w#O#o#UP#u#reactions \S+#l#r\d+, Put W#w#X#x FEATURE-ID#reactions#r\d+ if absent)+$/,
      ),
    ]);
  });
});
