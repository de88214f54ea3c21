import { describe, expect, it, vi } from "vitest";
import { crdtAdd } from "../../../functions/editor-content/crdt-add.ts";
import { crdtDelete, handler } from "../../../functions/editor-content/crdt-delete.ts";
import { crdtGet } from "../../../functions/editor-content/crdt-get.ts";
import { crdtList } from "../../../functions/editor-content/crdt-list.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { eventTypes } from "../../../lib/schema/events.ts";
import * as Crdt from "../../../lib/store/crdt/crdt.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { add, at, mergeNow, read, send, textOf, typed } from "../../support/crdt.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { newDocument } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import {
  callSource,
  issuesOf,
  keyText,
  mocked,
  newOrganization,
  oddIds,
  organizationId,
} from "../../support/workspace.ts";

fakeDates();

const on = { organizationId, documentId: "d" };
const remove = (as: Credentials, ...editorIds: string[]) => must(crdtDelete, { as, data: { ...on, editorIds } });
const statusOf = async (as: Credentials, editorId = "e") =>
  (await call(crdtGet, { as, data: { ...on, editorId } })).error?.status;

async function withText(data = "old"): Promise<Credentials> {
  const as = await newDocument();
  await add(as, { type: "text", data });
  return as;
}

/** Runs the purges until they find nothing. */
async function purgeAll(as: Credentials): Promise<void> {
  for (let jobs = await jobsOf(as, "purge"); jobs.length > 0; jobs = await jobsOf(as, "purge")) {
    later(120);
    await receive(
      purge,
      jobs.map(({ id }) => id),
    );
  }
}

const contentOf = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ entity }) => String(entity).startsWith("editor-"));

describe("OK", () => {
  it("deletes editors at once, leaves others, and nothing is stored after the purge", async () => {
    const as = await withText("x".repeat(800_000));
    await add(as, { editorId: "stays", type: "map", data: { a: 1 } });
    await send(as, typed(["a"])[0] as Uint8Array);
    expect(await remove(as, "e", "missing", "e")).toEqual({
      e: { success: true, id: "e", message: "Deleted." },
      missing: { success: true, id: "missing", message: "The editor does not exist." },
    });
    expect(await statusOf(as)).toBe("NOT_FOUND");
    expect((await must(crdtList, { as, data: on })).editors).toMatchObject([{ editorId: "stays" }]);
    await purgeAll(as);
    expect((await contentOf(as)).map(({ sk }) => sk.replace(/[\da-f-]{36}/, "id"))).toEqual([
      "CRDT#stays",
      "STATE#id#000",
    ]);
  });

  it("accepts any id, and 1,000 ids", async () => {
    const as = await newDocument();
    for (const editorId of oddIds) await add(as, { editorId, type: "text", data: "a" });
    await remove(as, ...oddIds, ...Array.from({ length: 1_000 - oddIds.length }, (_, index) => `e${index}`));
    expect((await must(crdtList, { as, data: on })).editors).toEqual([]);
  });

  it("lets an editor be added again, empty, and updates of its former generation change nothing", async () => {
    const as = await withText();
    const { update, generation } = await read(as);
    const [late] = typed(["late"], update) as [Uint8Array];
    await remove(as, "e");
    expect((await send(as, late)).error?.status).toBe("NOT_FOUND");
    await add(as, { type: "text", data: "" });
    expect((await send(as, late, { generation })).error?.status).toBe("FAILED_PRECONDITION");
    expect(await read(as)).toMatchObject({ data: "", update: expect.not.stringContaining("late") });
    expect((await read(as)).generation).not.toBe(generation);
    await purgeAll(as);
    expect((await send(as, typed(["new"], (await read(as)).update)[0] as Uint8Array)).status).toBe(200);
    expect(await textOf(as)).toBe("new");
  });

  it("deletes an editor that a merge changes meanwhile, and the merge leaves nothing behind", async () => {
    const as = await withText();
    await send(as, typed(["a"])[0] as Uint8Array);
    let isRaced = false;
    interceptStore(async ({ constructor: { name } }) => {
      if (isRaced || name !== "TransactWriteCommand") return;
      isRaced = true;
      await mergeNow(as);
    });
    expect(await callSource(handler, crdtDelete, { ...on, editorIds: ["e"] }, as)).toBe(200);
    vi.restoreAllMocks();
    expect(isRaced).toBe(true);
    expect(await statusOf(as)).toBe("NOT_FOUND");
    await purgeAll(as);
    expect(await contentOf(as)).toEqual([]);
  });

  it("purges what a call in flight stores after the deletion", async () => {
    const as = await withText();
    const { generation } = await read(as);
    const [change] = typed(["a"]) as [Uint8Array];
    await send(as, change);
    const [update] = (await contentOf(as)).filter(({ entity }) => entity === "editor-update");
    await remove(as, "e");
    await add(as, { type: "text", data: "" });
    expect(update?.pk).toContain(generation);
    await purgeAll(as);
    expect(await textOf(as)).toBe("");
    expect((await contentOf(as)).filter(({ pk }) => pk.includes(generation))).toEqual([]);
  });

  it("keeps the content of editors with a similar id", async () => {
    const as = await withText();
    for (const editorId of ["e#1", "e#", "e%231", "ee"]) {
      await must(crdtAdd, { as, data: { ...at, editorId, type: "text", data: editorId } });
    }
    await remove(as, "e");
    await purgeAll(as);
    for (const editorId of ["e#1", "e#", "e%231", "ee"]) expect(await textOf(as, { editorId })).toBe(editorId);
  });

  it("causes one event for each editor that existed", async () => {
    const as = await withText();
    await Setting.update({ workspace: as.apiKey }, "webhooks", { wantedEvents: [...eventTypes] });
    await Promise.all([remove(as, "e", "missing"), remove(as, "e"), remove(as, "e")]);
    const events = (await jobsOf(as, "fanout")).flatMap(({ payload }) => payload.events as object[]);
    expect(events).toMatchObject([{ type: "crdt.delete", documentId: "d", data: { editorId: "e" } }]);
  });
});

describe("NOT_FOUND", () => {
  it("is returned for a missing document, and one of another workspace", async () => {
    const as = await withText();
    const data = { ...on, editorIds: ["e"] };
    const missing = { ...data, documentId: "missing" };
    expect((await call(crdtDelete, { as, data: missing })).error?.status).toBe("NOT_FOUND");
    expect((await call(crdtDelete, { as: await newOrganization(), data })).error?.status).toBe("NOT_FOUND");
    expect(await textOf(as)).toBe("old");
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    ["editorIds", []],
    ["editorIds", "e"],
    ["editorIds.1", ["e", ""]],
  ])("names the field %s, and deletes nothing", async (path, editorIds) => {
    const as = await withText();
    expect(await issuesOf(crdtDelete, as, { ...on, editorIds })).toEqual([path]);
    expect(await textOf(as)).toBe("old");
  });

  it("is returned for a field that would narrow what is deleted", async () => {
    const as = await withText();
    expect(await issuesOf(crdtDelete, as, { ...on, editorIds: ["e"], editorId: "e" })).toEqual(["editorId"]);
  });
});

describe("AWS calls", () => {
  it("makes three reads and one transaction", async () => {
    const ref = { workspace: "w", documentUid: "x" as DocumentUid, editorId: "e" };
    const rows = Crdt.creation(ref, { type: "text", contentKey: "content", state: new Uint8Array(10) });
    const items = rows.flatMap((write) => ("put" in write ? [write.put] : []));
    const aws = mockAws([...mocked.rows, mocked.document, ...items]);
    expect(await callSource(handler, crdtDelete, { ...on, editorIds: ["e"] })).toBe(200);
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#webhooks$/),
      expect.stringContaining(keyText.document("d")),
      "Get W#w#X#x CRDT#e",
      expect.stringMatching(
        /^TransactWrite Delete W#w#X#x CRDT#e if \{createdAt & generation & base\}, Put JOB#\S+ JOB if absent$/,
      ),
      "SendMessageBatch",
    ]);
    aws.restore();
  });
});
