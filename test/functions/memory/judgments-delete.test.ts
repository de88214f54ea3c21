import { beforeEach, describe, expect, it } from "vitest";
import { handler, judgmentsDelete } from "../../../functions/memory/judgments-delete.ts";
import { handler as getHandler, judgmentsGet } from "../../../functions/memory/judgments-get.ts";
import { memorySearch } from "../../../functions/memory/memory-search.ts";
import { judgmentRecordEntity } from "../../../lib/store/ai/judgment.ts";
import * as JudgmentMonth from "../../../lib/store/ai/judgment-month.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { callsOf } from "../../support/feature-data.ts";
import { judgment, remember } from "../../support/memory.ts";
import { itemsOf } from "../../support/scan.ts";
import { mocked } from "../../support/workspace.ts";

let as: Credentials;
beforeEach(async () => {
  as = await newWorkspace();
});

const find = async (query: string) => {
  const { judgments } = await must(memorySearch, { as, data: { query } });
  return judgments.map(({ recordId }: { recordId: string }) => recordId).sort();
};
const remove = (...recordIds: string[]) => must(judgmentsDelete, { as, data: { recordIds } });
const get = async (data: object, who = as) => must(judgmentsGet, { as: who, data });
const sizeNow = async () =>
  (await JudgmentMonth.list({ workspace: as.apiKey })).months.reduce((sum, { size }) => sum + size, 0);
const addMany = (count: number) =>
  remember(as, ...Array.from({ length: count }, (_, index) => judgment("A budget.", { recordId: `r${index}` })));

describe("judgments/get", () => {
  it("returns the judgments exactly as they were added, in the order of the ids, without unknown ones", async () => {
    const given = judgment("The discount was never approved.", {
      recordId: "#",
      organizationId: "acme",
      documentId: "plan",
      annotationId: "a",
      createdAt: "2026-01-31T10:00:00.000Z",
    });
    const other = judgment("Too small.", { recordId: "__proto__", createdAt: "2026-02-01T10:00:00.000Z" });
    await remember(as, given, other);
    const recordIds = ["__proto__", "unknown", "#", "__proto__"];
    expect(await get({ recordIds })).toEqual({ judgments: [other, given], nextPageToken: null });
    expect((await get({ recordIds }, await newWorkspace())).judgments).toEqual([]);
  });

  it("pages by its size", async () => {
    await addMany(3);
    const recordIds = ["r0", "no", "r1", "r2"];
    const first = await get({ recordIds, pageSize: 2 });
    const second = await get({ recordIds, pageSize: 2, pageToken: first.nextPageToken });
    const ids = [first, second].map(({ judgments }) => judgments.map((each: { recordId: string }) => each.recordId));
    expect(ids).toEqual([["r0", "r1"], ["r2"]]);
    expect(second.nextPageToken).toBeNull();
  });

  it("reads the records, then the judgments", async () => {
    const location = { organizationId: "", createdAt: "2026-01-31T10:00:00.000Z" };
    const row = judgmentRecordEntity.put({ workspace: "w", recordId: "r" }, location).put;
    const data = { recordIds: ["r"] };
    const { status, calls } = await callsOf(getHandler, judgmentsGet, data, [...mocked.rows, row]);
    expect({ status, calls }).toEqual({
      status: 200,
      calls: ["Get W#w#JR#r RECORD", "Get W#w#J##M#2026-01 2026-01-31T10:00:00.000Z#r"],
    });
  });
});

describe("judgments/delete", () => {
  it("hides the records from every later search, also in a container that has them in its index", async () => {
    await remember(
      as,
      judgment("A budget.", { recordId: "a" }),
      judgment("A budget.", { recordId: "b", organizationId: "acme", createdAt: 1e12 }),
      judgment("A budget.", { recordId: "c" }),
    );
    expect(await find("budget")).toEqual(["a", "b", "c"]);
    const results = await remove("a", "unknown", "b");
    expect(Object.values(results)).toEqual([
      { success: true, id: "a", message: "Deleted." },
      { success: true, id: "unknown", message: "The judgment does not exist." },
      { success: true, id: "b", message: "Deleted." },
    ]);
    expect(await find("budget")).toEqual(["c"]);
    expect((await get({ recordIds: ["a", "b", "c"] })).judgments).toHaveLength(1);
    expect(await sizeNow()).toBe(1);
    const entities = (await itemsOf(as.apiKey)).map(({ entity }) => entity);
    expect(entities.filter((entity) => entity === "judgment" || entity === "judgment-record")).toHaveLength(2);
  });

  it("leaves another workspace's records, and a record that is added again under the id", async () => {
    await addMany(1);
    const other = { as: await newWorkspace(), data: { recordIds: ["r0"] } };
    expect((await must(judgmentsDelete, other)).r0.message).toBe("The judgment does not exist.");
    expect(await find("budget")).toEqual(["r0"]);
    await remove("r0");
    expect(await find("budget")).toEqual([]);
    await addMany(1);
    expect(await find("budget")).toEqual(["r0"]);
  });

  it("deletes each record once in concurrent calls, and keeps what is added beside them", async () => {
    await addMany(30);
    const ids = Array.from({ length: 30 }, (_, index) => `r${index}`);
    const added = remember(as, judgment("A budget.", { recordId: "new" }));
    const replies = await Promise.all([remove(...ids), remove(...ids.toReversed())]);
    await added;
    for (const id of ids) {
      const messages = replies.map((reply) => reply[id].message).sort();
      expect(messages).toEqual(["Deleted.", "The judgment does not exist."]);
    }
    expect(await find("budget")).toEqual(["new"]);
    expect(await sizeNow()).toBe(1);
  });

  it("refuses a field that it does not know", async () => {
    await addMany(1);
    const data = { recordIds: ["r0"], organizationId: "acme" };
    expect((await call(judgmentsDelete, { as, data })).error?.status).toBe("INVALID_ARGUMENT");
    expect(await find("budget")).toEqual(["r0"]);
  });
});

describe("AWS calls of judgments/delete", () => {
  const location = { organizationId: "", createdAt: "2026-01-31T10:00:00.000Z" };
  const rows = (ids: string[]) => [
    ...mocked.rows,
    ...ids.map((recordId) => judgmentRecordEntity.put({ workspace: "w", recordId }, location).put),
  ];

  it("reads the records and the counter of their month, and writes both in one transaction", async () => {
    const { status, calls } = await callsOf(handler, judgmentsDelete, { recordIds: ["r"] }, rows(["r"]));
    expect(status).toBe(200);
    expect(calls).toEqual([
      "Get W#w#JR#r RECORD",
      "Get W#w#JD #2026-01",
      "TransactWrite Delete W#w#J##M#2026-01 2026-01-31T10:00:00.000Z#r, Delete W#w#JR#r RECORD if {organizationId & createdAt}, " +
        "Put W#w#JD #2026-01 if absent, Put W#w#JL##M#2026-01 000000000001",
    ]);
  });

  it("makes three requests for each 20 of 1,000 records", async () => {
    const recordIds = Array.from({ length: 1_000 }, (_, index) => `r${index}`);
    const { status, calls } = await callsOf(handler, judgmentsDelete, { recordIds }, rows(recordIds));
    expect({ status, calls: calls.length }).toEqual({ status: 200, calls: 3 * Math.ceil(1_000 / 20) });
  });
});
