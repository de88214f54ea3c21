import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handler, presenceAdd } from "../../../functions/collaboration/presence-add.ts";
import { documentsDelete } from "../../../functions/content/documents-delete.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import * as Document from "../../../lib/store/document.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { enter, idsOn, later, leave, newDocument, on, presentOn, rows, told, users } from "../../support/presence.ts";
import {
  addDocuments,
  callSource,
  give,
  issuesOf,
  keyText,
  newOrganization,
  oddIds,
  onDocument,
  organizationId,
} from "../../support/workspace.ts";

const noon = Date.parse("2026-01-31T12:00:00.000Z");

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: noon }));
afterEach(() => void vi.useRealTimers());

describe("OK", () => {
  it("says who is there, known users or not, for a day unless told otherwise", async () => {
    const as = await newDocument();
    const ann = { userId: "ann", name: "Ann", email: "ann@example.com", metadata: { color: "teal" } };
    const reply = await call(presenceAdd, { as, data: { ...on, users: [ann, { userId: "ben" }] } });
    expect(reply.body).toEqual({ result: { status: "success", message: "Presence added.", data: { success: true } } });
    await enter(as, ["cat"], { lifetimeSeconds: 60 });
    const [updatedAt, now] = [new Date(noon).toISOString(), noon / 1_000];
    expect(await presentOn(as)).toEqual([
      { ...ann, updatedAt, expiresAt: now + 86_400 },
      { userId: "ben", updatedAt, expiresAt: now + 86_400 },
      { userId: "cat", updatedAt, expiresAt: now + 60 },
    ]);
  });

  it("replaces what a user said before, fields that are missing now included", async () => {
    const as = await newDocument();
    const first = { userId: "ann", name: "Ann", metadata: { at: 1 } };
    await must(presenceAdd, { as, data: { ...on, users: [first] } });
    later(10);
    await enter(as, ["ann"], { lifetimeSeconds: 5 });
    const updatedAt = new Date(noon + 10_000).toISOString();
    expect(await presentOn(as)).toEqual([{ userId: "ann", updatedAt, expiresAt: noon / 1_000 + 15 }]);
  });

  it("keeps metadata as it came, whatever its keys, numbers and depth", async () => {
    const as = await newDocument();
    const deep = Array.from({ length: 50 }).reduce<object>((inner) => [inner], {});
    const odd = '{"__proto__":{"a":1},"constructor":null,"10":[],"":"","n":[1e300,5e-324,-0.1],"🦜":"\\u0000"}';
    const all = [{}, { deep }, { yes: true, none: null, list: [null, [], ""] }, JSON.parse(odd)];
    await must(presenceAdd, {
      as,
      data: { ...on, users: all.map((metadata, at) => ({ userId: `u${at}`, metadata })) },
    });
    const found = (await presentOn(as)).map(({ metadata }: { metadata: object }) => JSON.stringify(metadata));
    expect(found).toEqual(all.map((metadata) => JSON.stringify(metadata)));
  });

  it("takes any id, a repeated one once, 1,000 users, and null for what is not given", async () => {
    const as = await newDocument();
    await enter(as, [...oddIds, ...oddIds], { lifetimeSeconds: null });
    expect(await idsOn(as)).toEqual([...oddIds].sort());
    await leave(as, ...oddIds);
    const many = Array.from({ length: 1_000 }, (_, index) => ({ userId: `u${index}`, name: null, metadata: null }));
    await must(presenceAdd, { as, data: { ...on, users: many } });
    expect(await presentOn(as)).toHaveLength(100);
  });

  it("marks the entry for the table to remove when it ends", async () => {
    const as = await newDocument();
    vi.setSystemTime(noon + 1);
    await enter(as, ["ann"], { lifetimeSeconds: 1 });
    const [document] = await Document.getMany(as.apiKey, organizationId, ["d"]);
    const item = await Table.get(dataKeys.presence(as.apiKey, document?.uid as string, "ann"));
    expect(item).toMatchObject({ ttl: noon / 1_000 + 2 });
  });

  it("starts empty on a document that was deleted and added again", async () => {
    const as = await newDocument();
    await enter(as, ["ann"]);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    await addDocuments(as, undefined, "d");
    expect(await idsOn(as)).toEqual([]);
  });
});

describe("events", () => {
  it.each([["presence.add"], ["*"]])(
    "tells who came, where %s is wanted, and of nobody who was there",
    async (type) => {
      const as = await newDocument(type);
      await enter(as, ["ann", "ben", "ann"]);
      await enter(as, ["ann", "ben"]);
      expect(await told(as)).toEqual({ "presence.add": [["ann", "ben"]] });
      await enter(as, ["ben", "cat"]);
      expect((await told(as))["presence.add"]?.toSorted()).toEqual([["ann", "ben"], ["cat"]]);
    },
  );

  it("tells again of who left, or whose time ended, whether or not the table has removed it", async () => {
    const as = await newDocument("presence.add");
    await enter(as, ["ann"], { lifetimeSeconds: 60 });
    await enter(as, ["ben"]);
    later(60);
    await leave(as, "ben");
    await enter(as, ["ann", "ben"]);
    expect((await told(as))["presence.add"]?.toSorted()).toEqual([["ann"], ["ann", "ben"], ["ben"]]);
  });

  it("tells nothing that is not wanted", async () => {
    const as = await newDocument("presence.delete");
    await enter(as, ["ann"]);
    expect(await told(as)).toEqual({});
  });
});

describe("NOT_FOUND", () => {
  it("for a missing organization or document, one that is only reserved, and another workspace's", async () => {
    const as = await newDocument();
    await give(as, "ann", onDocument("reserved"));
    const add = async (by: Credentials, more: object) =>
      (await call(presenceAdd, { as: by, data: { ...on, users: users("ann"), ...more } })).error;
    expect((await add(as, { organizationId: "gone" }))?.message).toContain("organization");
    for (const documentId of ["gone", "reserved"]) {
      expect(await add(as, { documentId })).toMatchObject({
        status: "NOT_FOUND",
        message: expect.stringContaining("doc"),
      });
    }
    for (const other of [await newWorkspace(), await newOrganization()])
      expect((await add(other, {}))?.status).toBe("NOT_FOUND");
    await addDocuments(as, undefined, "reserved");
    for (const documentId of ["d", "reserved"]) expect(await idsOn(as, documentId)).toEqual([]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["users", []],
    ["users", undefined],
    ["users", users(...Array.from({ length: 1_001 }, (_, index) => `u${index}`))],
    ["users.1", [{ userId: "ann" }, "ben"]],
    ["users.1.userId", [{ userId: "ann" }, {}]],
    ["users.0.userId", [{ userId: "\u0000" }]],
    ["users.0.name", [{ userId: "ann", name: 1 }]],
    ["users.0.metadata", [{ userId: "ann", metadata: [] }]],
    ["users.0.metadata", [{ userId: "ann", metadata: "text" }]],
    ["users.1", [{ userId: "ann" }, { userId: "ben", metadata: { text: "🦜".repeat(1_020) } }]],
  ])("names %s, and adds nobody", async (path, given) => {
    const as = await newDocument();
    expect(await issuesOf(presenceAdd, as, { ...on, users: given })).toContain(path);
    expect(await idsOn(as)).toEqual([]);
  });

  it("for a lifetime that is no whole number of seconds from one to a day", async () => {
    const as = await newDocument();
    for (const lifetimeSeconds of [0, -1, 86_401, 1.5, "60"]) {
      expect(await issuesOf(presenceAdd, as, { ...on, users: users("ann"), lifetimeSeconds })).toEqual([
        "lifetimeSeconds",
      ]);
    }
  });
});

describe("AWS calls", () => {
  const reads = [
    expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
    `BatchGet ${keyText.document("d")}, W#w#O#o ORG`,
  ];
  const add = (...userIds: string[]) => callSource(handler, presenceAdd, { ...on, users: users(...userIds) });

  it("makes two reads and one write for a user who says so again, and a transaction for more", async () => {
    const aws = mockAws(rows());
    expect(await add("ann")).toBe(200);
    expect(aws.calls()).toEqual([...reads, "Put W#w#X#x PRESENCE#ann"]);
    aws.dynamo.resetHistory();
    expect(await add("ann", "ben")).toBe(200);
    expect(aws.calls().at(-1)).toBe("TransactWrite Put W#w#X#x PRESENCE#ann, Put W#w#X#x PRESENCE#ben");
    aws.restore();
  });
});
