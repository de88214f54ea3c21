import { describe, expect, it, vi } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { handler, presenceAdd } from "../../../functions/presence/presence-add.ts";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { presenceEntity } from "../../../lib/store/presence.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { enter, idsOn, leave, newDocument, on, presentOn, rows, users, usersInEvents } from "../../support/presence.ts";
import { callAs, newWorkspaceForUsers, tokenOf } from "../../support/users.ts";
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

fakeDates(noon);

describe("OK", () => {
  it("adds users with and without a name, for a day unless a lifetime is given", async () => {
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

  it("replaces a user's entry completely, so that omitted fields are removed", async () => {
    const as = await newDocument();
    const first = { userId: "ann", name: "Ann", metadata: { at: 1 } };
    await must(presenceAdd, { as, data: { ...on, users: [first] } });
    later(10);
    await enter(as, ["ann"], { lifetimeSeconds: 5 });
    const updatedAt = new Date(noon + 10_000).toISOString();
    expect(await presentOn(as)).toEqual([{ userId: "ann", updatedAt, expiresAt: noon / 1_000 + 15 }]);
  });

  it("keeps metadata as it was sent, with keys, numbers and nesting of any kind", async () => {
    const as = await newDocument();
    const deep = Array.from({ length: 50 }).reduce<object>((inner) => [inner], {});
    const odd = '{"constructor":null,"10":[],"":"","n":[1e300,5e-324,-0.1],"🦜":"\\u0000"}';
    const all = [{}, { deep }, { yes: true, none: null, list: [null, [], ""] }, JSON.parse(odd)];
    await must(presenceAdd, {
      as,
      data: { ...on, users: all.map((metadata, at) => ({ userId: `u${at}`, metadata })) },
    });
    const found = (await presentOn(as)).map(({ metadata }: { metadata: object }) => JSON.stringify(metadata));
    expect(found).toEqual(all.map((metadata) => JSON.stringify(metadata)));
  });

  it("accepts any id, repeated ids, 1,000 users, and null for optional fields", async () => {
    const as = await newDocument();
    await enter(as, [...oddIds, ...oddIds], { lifetimeSeconds: null });
    expect(await idsOn(as)).toEqual([...oddIds].sort());
    await leave(as, ...oddIds);
    const many = Array.from({ length: 1_000 }, (_, index) => ({ userId: `u${index}`, name: null, metadata: null }));
    await must(presenceAdd, { as, data: { ...on, users: many } });
    expect(await presentOn(as)).toHaveLength(100);
  });

  it("sets the entry's `ttl` to its expiry, so that the table deletes it", async () => {
    const as = await newDocument();
    vi.setSystemTime(noon + 1);
    await enter(as, ["ann"], { lifetimeSeconds: 1 });
    const document = await Document.get({ ...on, workspace: as.apiKey });
    const documentUid = document?.documentUid as DocumentUid;
    const item = await Table.get(presenceEntity.key({ workspace: as.apiKey, documentUid, userId: "ann" }));
    expect(item).toMatchObject({ ttl: noon / 1_000 + 2 });
  });

  it("lists nobody on a document that was deleted and added again", async () => {
    const as = await newDocument();
    await enter(as, ["ann"]);
    await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
    await addDocuments(as, undefined, "d");
    expect(await idsOn(as)).toEqual([]);
  });
});

describe("events", () => {
  it.each([["presence.add"], ["*"]])("names only the new users when the workspace wants %s", async (type) => {
    const as = await newDocument(type);
    await enter(as, ["ann", "ben", "ann"]);
    await enter(as, ["ann", "ben"]);
    expect(await usersInEvents(as)).toEqual({ "presence.add": [["ann", "ben"]] });
    await enter(as, ["ben", "cat"]);
    expect((await usersInEvents(as))["presence.add"]?.toSorted()).toEqual([["ann", "ben"], ["cat"]]);
  });

  it("names again a user who left or expired, also before the table deletes the entry", async () => {
    const as = await newDocument("presence.add");
    await enter(as, ["ann"], { lifetimeSeconds: 60 });
    await enter(as, ["ben"]);
    later(60);
    await leave(as, "ben");
    await enter(as, ["ann", "ben"]);
    expect((await usersInEvents(as))["presence.add"]?.toSorted()).toEqual([["ann"], ["ann", "ben"], ["ben"]]);
  });

  it("names a user who leaves while the call renews the presence", async () => {
    const as = await newDocument("*");
    await enter(as, ["ann", "ben"]);
    let isRaced = false;
    interceptStore(async ({ constructor: { name }, input }) => {
      if (isRaced || name !== "TransactWriteCommand" || !JSON.stringify(input).includes("PRESENCE#")) return;
      isRaced = true;
      await leave(as, "ann");
    });
    expect(await callSource(handler, presenceAdd, { ...on, users: users("ann", "ben") }, as)).toBe(200);
    vi.restoreAllMocks();
    expect(isRaced).toBe(true);
    expect(await idsOn(as)).toEqual(["ann", "ben"]);
    const events = await usersInEvents(as);
    expect(events["presence.add"]?.toSorted()).toEqual([["ann"], ["ann", "ben"]]);
    expect(events["presence.delete"]).toEqual([["ann"]]);
  });

  it("writes no event that the workspace does not want", async () => {
    const as = await newDocument("presence.delete");
    await enter(as, ["ann"]);
    expect(await usersInEvents(as)).toEqual({});
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing document, a reserved document, and another workspace's", async () => {
    const as = await newDocument();
    await give(as, "ann", onDocument("reserved"));
    const add = async (by: Credentials, more: object) =>
      (await call(presenceAdd, { as: by, data: { ...on, users: users("ann"), ...more } })).error;
    for (const documentId of ["missing", "reserved"]) {
      expect(await add(as, { documentId })).toMatchObject({
        status: "NOT_FOUND",
        message: expect.stringContaining("doc"),
      });
    }
    expect((await add(await newOrganization(), {}))?.status).toBe("NOT_FOUND");
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
  ])("names the field %s, and adds nobody", async (path, value) => {
    const as = await newDocument();
    expect(await issuesOf(presenceAdd, as, { ...on, users: value })).toContain(path);
    expect(await idsOn(as)).toEqual([]);
  });

  it("is returned for a lifetime that is not a whole number of seconds from 1 to 86,400", async () => {
    const as = await newDocument();
    for (const lifetimeSeconds of [0, -1, 86_401, 1.5, "60"]) {
      expect(await issuesOf(presenceAdd, as, { ...on, users: users("ann"), lifetimeSeconds })).toEqual([
        "lifetimeSeconds",
      ]);
    }
  });
});

it("a user who loses access is gone after 180 s at most", async () => {
  const as = await newWorkspaceForUsers();
  const [ann, ben] = [await tokenOf(as, "ann"), await tokenOf(as, "ben")];
  const there = async () =>
    (await callAs(ben, presenceGet, { documentId: "d" })).data.users.map(({ userId }: { userId: string }) => userId);
  const tooLong = await callAs(ann, presenceAdd, { documentId: "d", lifetimeSeconds: 181 });
  expect(tooLong.error).toMatchObject({
    status: "INVALID_ARGUMENT",
    message: "lifetimeSeconds: With a user's token, at most 180.",
  });
  expect(await there()).toEqual([]);
  for (const lifetimeSeconds of [undefined, 180]) {
    await callAs(ann, presenceAdd, { documentId: "d", lifetimeSeconds });
    expect(await there()).toEqual(["ann"]);
    const permissions = { resources: [onDocument("d")] };
    await must(permissionsRemove, { as, data: { user: { userId: "ann" }, permissions } });
    later(180);
    expect(await there()).toEqual([]);
    await give(as, "ann", onDocument("d"));
  }
});

describe("AWS calls", () => {
  const reads = [
    expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
    `BatchGet ${keyText.document("d")}, W#w#O#o ORG, ${keyText.user("ann")}`,
  ];
  const add = (...userIds: string[]) => callSource(handler, presenceAdd, { ...on, users: users(...userIds) });

  it("makes two reads and one write for one user, and one transaction for several", async () => {
    const aws = mockAws(rows());
    expect(await add("ann")).toBe(200);
    expect(aws.calls()).toEqual([...reads, "Put W#w#X#x PRESENCE#ann if {generation at most}"]);
    aws.dynamo.resetHistory();
    expect(await add("ann", "ben")).toBe(200);
    const condition = "if {generation at most}";
    expect(aws.calls().at(-1)).toBe(
      `TransactWrite Put W#w#X#x PRESENCE#ann ${condition}, Put W#w#X#x PRESENCE#ben ${condition}`,
    );
    aws.restore();
  });
});
