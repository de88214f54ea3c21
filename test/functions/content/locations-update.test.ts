import { describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/content/documents-add.ts";
import { handler, locationsUpdate } from "../../../functions/content/locations-update.ts";
import { organizationsAdd } from "../../../functions/content/organizations-add.ts";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { storedOf } from "../../contract/refusal.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import { issuesOf, keyText, mocked, oddIds, organizationId } from "../access/factories.ts";
import { add, callsOf, documentId, newDocument, placesOf, reaction, update } from "./feature-data.ts";

const [a, b] = [{ id: "a" }, { id: "b" }];

async function secondOrganization(as: Credentials): Promise<void> {
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "o2" }] } });
  await must(documentsAdd, { as, data: { organizationId: "o2", documents: [{ documentId }] } });
}

describe("OK", () => {
  it("answers null, and writes the fields where the identities are equal", async () => {
    const as = await newDocument();
    await add(as, { id: "a", locationName: "A", page: 1 }, { reactions: [reaction("r")] });
    const reply = await update(as, a, { id: "a", zoom: 2 });
    expect(reply.body).toEqual({ result: { status: "success", message: "Location updated.", data: null } });
    expect(await placesOf(as)).toEqual({ r: { id: "a", zoom: 2 } });
    await update(as, a, { id: "a", page: { of: [1, null, 1.5e-7] } }, { merge: true });
    expect(await placesOf(as)).toEqual({ r: { id: "a", zoom: 2, page: { of: [1, null, 1.5e-7] } } });
  });

  it("moves the data where the identity changes", async () => {
    const as = await newDocument();
    await add(as, { id: "a", page: 1 }, { reactions: [reaction("r")] });
    await update(as, a, { id: "b", zoom: 2 });
    expect(await placesOf(as)).toEqual({ r: { id: "b", zoom: 2 } });
    await update(as, b, { locationName: "named" });
    await add(as, { locationName: "named" }, { reactions: [reaction("r2")] });
    await add(as, a, { reactions: [reaction("r3")] });
    expect(await placesOf(as)).toEqual({ r: { locationName: "named" }, r2: { locationName: "named" }, r3: a });
  });

  it("keeps fields with merge, an id among them, which so stays the identity", async () => {
    const as = await newDocument();
    await add(as, { id: "a", page: 1 }, { reactions: [reaction("r")] });
    await update(as, a, { id: "b", zoom: 2 }, { merge: true });
    await update(as, b, { locationName: "B" }, { merge: true });
    expect(await placesOf(as)).toEqual({ r: { id: "b", page: 1, zoom: 2, locationName: "B" } });
  });

  it("creates what does not exist", async () => {
    const as = await newDocument();
    await update(as, { id: "gone" }, { id: "a", page: 1 });
    await add(as, { id: "a", page: 7 }, { reactions: [reaction("r")] });
    expect(await placesOf(as)).toEqual({ r: { id: "a", page: 1 } });
  });

  it("adds the old data to a location that exists, with merge", async () => {
    const as = await newDocument();
    await add(as, { id: "a", page: 1 }, { reactions: [reaction("ra")] });
    await add(as, { id: "b", zoom: 2 }, { reactions: [reaction("rb")] });
    expect((await update(as, a, { id: "b", colour: "red" }, { merge: true })).error).toBeUndefined();
    const merged = { id: "b", zoom: 2, colour: "red" };
    expect(await placesOf(as)).toEqual({ ra: merged, rb: merged });
    await add(as, a, { reactions: [reaction("new")] });
    expect(await placesOf(as)).toEqual({ ra: merged, rb: merged, new: a });
  });

  it("tells an id from a name of the same text, and takes any id", async () => {
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

  it("finds the document without an organization where one has it", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: [reaction("r")] });
    expect((await update(as, a, b, { organizationId: undefined })).error).toBeUndefined();
    expect(await placesOf(as)).toEqual({ r: b });
  });

  it("tells what was and what is, to those who want to know", async () => {
    const as = await newDocument();
    await Setting.update(as.apiKey, "webhooks", { wantedEvents: ["location.update"] });
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

describe("at the same time", () => {
  it("two merges into each other leave one location with all data", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: [reaction("ra")] });
    await add(as, b, { reactions: [reaction("rb")] });
    await Promise.all([update(as, a, b, { merge: true }), update(as, b, a, { merge: true })]);
    const places = await placesOf(as);
    expect(Object.keys(places).sort()).toEqual(["ra", "rb"]);
    expect(places.ra).toEqual(places.rb);
  });

  it("merges of many into one lose nothing", async () => {
    const as = await newDocument();
    const ids = Array.from({ length: 4 }, (_, index) => `l${index}`);
    await Promise.all(ids.map((id) => add(as, { id }, { reactions: [reaction(id)] })));
    const merged = ids.map((id) => update(as, { id }, { id: "all", [id]: true }, { merge: true }));
    expect((await Promise.all(merged)).map(({ error }) => error?.message)).toEqual(ids.map(() => undefined));
    const all = { id: "all", ...Object.fromEntries(ids.map((id) => [id, true])) };
    expect(await placesOf(as)).toEqual(Object.fromEntries(ids.map((id) => [id, all])));
  });
});

describe("NOT_FOUND", () => {
  it("for a missing document or organization, another workspace's among them", async () => {
    const [as, other] = [await newDocument(), await newWorkspace()];
    for (const more of [
      { documentId: "no" },
      { organizationId: "no" },
      { documentId: "no", organizationId: undefined },
    ])
      expect((await update(as, a, b, more)).error?.status).toBe("NOT_FOUND");
    for (const more of [{}, { organizationId: undefined }])
      expect((await update(other, a, b, more)).error?.status).toBe("NOT_FOUND");
  });
});

describe("ALREADY_EXISTS", () => {
  it("for a new identity that is taken, without merge: both stay as they are", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: [reaction("ra")] });
    await add(as, b, { reactions: [reaction("rb")] });
    expect(await update(as, a, b)).toMatchObject({ status: 409, error: { status: "ALREADY_EXISTS" } });
    expect((await update(as, a, b, { merge: false })).error?.status).toBe("ALREADY_EXISTS");
    expect(await placesOf(as)).toEqual({ ra: a, rb: b });
  });
});

describe("PERMISSION_DENIED", () => {
  it("for credentials in data that do not hold, or are another workspace's; nothing changes", async () => {
    const [as, other] = [await newDocument(), await newWorkspace()];
    const before = await storedOf(as);
    for (const [field, value] of [
      ["apiKey", "wrong"],
      ["apiKey", other.apiKey],
      ["apiKey", ""],
      ["authToken", "wrong"],
      ["authToken", other.authToken],
      ["authToken", ""],
    ] as const) {
      const { error } = await update(as, a, b, { [field]: value });
      expect(error).toEqual({ status: "PERMISSION_DENIED", message: `The field data.${field} does not hold.` });
    }
    expect(await storedOf(as)).toEqual(before);
  });
});

describe("INVALID_ARGUMENT", () => {
  const deep = (levels: number): object => (levels === 0 ? {} : { in: deep(levels - 1) });
  const bad: [string, object, string][] = [
    ["no id and no name", {}, ""],
    ["an empty name without an id", { locationName: "" }, ""],
    ["null names", { id: null, locationName: null }, ""],
    ["an empty id", { id: "", locationName: "a" }, ".id"],
    ["an id that is a number", { id: 1 }, ".id"],
    ["a name that is a list", { id: "a", locationName: [] }, ".locationName"],
    ["over 16 KB", { id: "a", more: "x".repeat(16_400) }, ""],
    ["a nesting of 30 levels", { id: "a", ...deep(30) }, ""],
    ["a number that the table cannot hold", { id: "a", n: 1e200 }, ""],
  ];

  it.each(bad)("for a location with %s", async (_, location, path) => {
    const as = await newWorkspace();
    for (const [name, reply] of [
      ["oldLocation", await update(as, location, a)],
      ["newLocation", await update(as, a, location)],
    ] as const) {
      expect(reply.error?.status).toBe("INVALID_ARGUMENT");
      const issues = reply.error?.details?.issues as { path: string[] }[];
      expect(issues.map((issue) => issue.path.join("."))).toEqual([`migrate.${name}${path}`]);
    }
  });

  it("for a merge that makes a location over 16 KB", async () => {
    const as = await newDocument();
    await update(as, a, { id: "a", one: "x".repeat(10_000) });
    const { error } = await update(as, a, { id: "a", two: "x".repeat(10_000) }, { merge: true });
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      details: { issues: [{ path: ["migrate", "newLocation"] }] },
    });
  });

  it("asks for the organization where several have the document", async () => {
    const as = await newDocument();
    await secondOrganization(as);
    const { error } = await update(as, a, b, { organizationId: undefined });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["organizationId"] }] } });
    expect((await update(as, a, b, { organizationId: "o2" })).error).toBeUndefined();
  });

  it("for data that is missing", async () => {
    expect(await issuesOf(locationsUpdate, await newWorkspace(), { migrate: {} })).toEqual([
      "apiKey",
      "authToken",
      "documentId",
      "migrate.oldLocation",
      "migrate.newLocation",
    ]);
  });
});

describe("AWS calls", () => {
  const location = (id: string, size: number) => [
    { ...dataKeys.location("w", "x", `id:${id}`), luid: id, size },
    {
      ...dataKeys.locationNode("w", "x", id),
      luid: id,
      identity: `id:${id}`,
      location: `{"id":"${id}"}`,
      size,
      rev: "1",
    },
  ];
  const head = [
    `BatchGet W#w SETTING#webhooks, ${keyText.document("d")}`,
    "BatchGet W#w#X#x LOCATION#id:a, W#w#X#x LOCATION#id:b",
  ];
  const data = { ...mocked.as, organizationId, documentId, migrate: { oldLocation: a, newLocation: b } };

  it.each([10, 1_000])("renames in three reads and one transaction, with %i items", async (count) => {
    const items = Array.from({ length: count }, (_, id) => dataKeys.feature("w", "x", "a", "comments", String(id)));
    const table = [...mocked.rows, mocked.document, ...location("a", 1), ...items];
    const { status, calls } = await callsOf(handler, locationsUpdate, data, table);
    expect(status).toBe(200);
    expect(calls).toEqual([
      ...head,
      "Get W#w#X#x L#a",
      "TransactWrite Delete W#w#X#x LOCATION#id:a, Put W#w#X#x LOCATION#id:b, Update W#w#X#x L#a",
    ]);
  });

  it.each([1, 500])("merges the smaller set into the larger at the same cost, with %i merged before", async (size) => {
    const table = [...mocked.rows, mocked.document, ...location("a", size + 1), ...location("b", size)];
    const { status, calls } = await callsOf(handler, locationsUpdate, { ...data, merge: true }, table);
    expect(status).toBe(200);
    expect(calls).toEqual([
      ...head,
      "BatchGet W#w#X#x L#a, W#w#X#x L#b",
      "TransactWrite Delete W#w#X#x LOCATION#id:a, Put W#w#X#x LOCATION#id:b, Update W#w#X#x L#a, " +
        "Update W#w#X#x L#b, Put W#w#X#x#L#a MERGED#b",
    ]);
  });
});
