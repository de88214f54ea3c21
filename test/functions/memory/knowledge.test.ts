import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handler as deleteHandler, knowledgeDelete } from "../../../functions/memory/knowledge-delete.ts";
import { handler as getHandler, knowledgeGet } from "../../../functions/memory/knowledge-get.ts";
import { knowledgeList, handler as listHandler } from "../../../functions/memory/knowledge-list.ts";
import { purge } from "../../../functions/workers/purge.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { search, searchJudgments } from "../../../lib/memory/search.ts";
import * as Knowledge from "../../../lib/store/ai/knowledge.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { callsOf } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { judgment, remember } from "../../support/memory.ts";
import { allPages } from "../../support/paging.ts";
import { deliver } from "../../support/run-worker.ts";
import { mocked } from "../../support/workspace.ts";

let as: Credentials;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  as = await newWorkspace();
});
afterEach(() => void vi.useRealTimers());

const add = (sourceId: string, lines: string[], more: object = {}) =>
  Knowledge.add(
    { workspace: as.apiKey },
    { sourceId, sourceUid: crypto.randomUUID(), mimeType: "text/plain", ...more },
    lines,
  );
const find = async (question: string, scope: object = {}) =>
  (await search({ workspace: as.apiKey }, { question, scope, limit: 10 })).found.map(
    ({ judgment, passage }) => (passage ?? judgment).recordId,
  );

describe("knowledge/list", () => {
  it("lists each source once over all pages, and none of another workspace", async () => {
    for (const id of ["a", "b", "c"]) await add(id, ["Text."], { fileName: `${id}.txt` });
    const found = await allPages({ endpoint: knowledgeList, member: "sources" }, as, { pageSize: 2 });
    const shown = { mimeType: "text/plain", createdAt: expect.stringMatching(/Z$/), chunkCount: 1 };
    expect(found).toEqual(["a", "b", "c"].map((sourceId) => ({ sourceId, fileName: `${sourceId}.txt`, ...shown })));
    expect((await must(knowledgeList, { as: await newWorkspace() })).sources).toEqual([]);
  });
});

describe("knowledge/get", () => {
  const read = (sourceId: string, data: object = {}) => call(knowledgeGet, { as, data: { sourceId, ...data } });

  it("returns the whole text of a source in its order, page by page", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `Line ${index} ${"x".repeat(1_100)}`);
    await add("guide", lines, { fileName: "guide.txt" });
    await add("other", ["Other."]);
    const found = await allPages({ endpoint: knowledgeGet, member: "passages" }, as, {
      sourceId: "guide",
      pageSize: 7,
    });
    expect(found.map(({ text }) => text)).toEqual(lines);
    expect(found[0]).toEqual({
      recordId: "guide.0",
      fileName: "guide.txt",
      text: lines[0],
      createdAt: expect.stringMatching(/Z$/),
    });
  });

  it("returns NOT_FOUND for an unknown source, another workspace's, and a deleted one", async () => {
    await add("guide", ["Text."]);
    expect((await read("unknown")).error?.status).toBe("NOT_FOUND");
    const other = { as: await newWorkspace(), data: { sourceId: "guide" } };
    expect((await call(knowledgeGet, other)).error?.status).toBe("NOT_FOUND");
    await must(knowledgeDelete, { as, data: { sourceIds: ["guide"] } });
    expect((await read("guide")).error?.status).toBe("NOT_FOUND");
  });

  it("refuses the page token of an earlier source with the same id", async () => {
    await add("guide", ["x".repeat(1_200), "y".repeat(1_200)]);
    const { nextPageToken: pageToken } = (await read("guide", { pageSize: 1 })).data;
    await must(knowledgeDelete, { as, data: { sourceIds: ["guide"] } });
    await add("guide", ["Text."]);
    expect((await read("guide", { pageToken })).error?.status).toBe("INVALID_ARGUMENT");
  });
});

describe("a search", () => {
  it("finds passages and judgments in the whole workspace", async () => {
    await add("guide", ["The discount of ten percent needs finance."], { fileName: "guide.txt" });
    await remember(as, judgment("The discount was refused.", { recordId: "r", organizationId: "acme" }));
    expect((await find("discount of finance")).sort()).toEqual(["guide.0", "r"]);
    const { found } = await search({ workspace: as.apiKey }, { question: "finance percent", scope: {}, limit: 1 });
    const [best] = found;
    expect(best?.passage).toMatchObject({ fileName: "guide.txt", text: "The discount of ten percent needs finance." });
  });

  it.each([
    ["an organization", { organizationId: "acme" }],
    ["a decision", { filters: { decision: "rejected" } }],
    ["recent days", { recencyDays: 7 }],
    ["a time before the passage", { filters: { dateRange: { end: "2001-01-01" } } }],
    ["an annotation", { filters: { annotationId: "x" } }],
  ])("finds no passage when it is limited to %s", async (_, scope) => {
    await add("guide", ["The discount needs finance."]);
    expect(await find("discount finance", scope)).toEqual([]);
  });

  it.each(["guide", "guide.0"])("leaves out the source that excludeDocumentIds names as %s", async (id) => {
    for (const sourceId of ["guide", "guides"]) await add(sourceId, ["The discount needs finance."]);
    expect(await find("discount", { filters: { excludeDocumentIds: [id, "guide.x"] } })).toEqual(["guides.0"]);
  });

  it("finds no passage of another workspace, and none in a search for judgments", async () => {
    await add("guide", ["The discount needs finance."]);
    const question = { question: "discount", scope: {}, limit: 10 };
    expect(await search({ workspace: (await newWorkspace()).apiKey }, question)).toMatchObject({ found: [] });
    expect(await searchJudgments({ workspace: as.apiKey }, question)).toMatchObject({ found: [] });
  });

  it("finds each chunk of a long source by its own words", async () => {
    await add(
      "book",
      Array.from({ length: 300 }, (_, index) => `Line ${index} tells of topic${index}. ${"x".repeat(60)}`),
    );
    const [found] = await find("topic250");
    expect(found).toMatch(/^book\.\d+$/);
    expect(found).not.toBe("book.0");
  });
});

describe("knowledge/delete", () => {
  it("hides a source from every later search, also in a container that cached it, and purges its chunks", async () => {
    const ref = { workspace: as.apiKey, sourceUid: "uid-1" };
    await add("guide", ["The discount needs finance."], ref);
    expect(await find("discount")).toEqual(["guide.0"]);
    const reply = await must(knowledgeDelete, { as, data: { sourceIds: ["guide", "missing", "guide"] } });
    expect(reply).toEqual({
      guide: { success: true, id: "guide", message: "Deleted." },
      missing: { success: true, id: "missing", message: "The source does not exist." },
    });
    expect(await find("discount")).toEqual([]);
    const [job] = await jobsOf(as, "purge");
    vi.setSystemTime(Date.now() + 60_000);
    await deliver(purge, [job?.id ?? ""]);
    expect((await Table.query(Knowledge.chunkEntity.range(ref))).items).toEqual([]);
  });

  it("keeps a source that was stored again under the id, and sources of other workspaces", async () => {
    await add("guide", ["Old words."]);
    await must(knowledgeDelete, { as, data: { sourceIds: ["guide"] } });
    await add("guide", ["New words."]);
    const other = await newWorkspace();
    await must(knowledgeDelete, { as: other, data: { sourceIds: ["guide"] } });
    expect(await find("new words")).toEqual(["guide.0"]);
  });

  it("refuses an empty list", async () => {
    expect((await call(knowledgeDelete, { as, data: { sourceIds: [] } })).status).toBe(400);
  });
});

describe("AWS calls", () => {
  const source = {
    ...Knowledge.knowledgeSourceEntity.key({ workspace: "w", sourceId: "s" }),
    sourceId: "s",
    sourceUid: "x",
    mimeType: "text/plain",
    createdAt: "",
    chunkCount: 1,
  };

  it("get makes one read and one query", async () => {
    const source = { pk: "W#w#KD", sk: "s", sourceId: "s", sourceUid: "u", createdAt: "now", chunkCount: 0 };
    const { status, calls } = await callsOf(getHandler, knowledgeGet, { sourceId: "s" }, [...mocked.rows, source]);
    expect({ status, calls }).toEqual({ status: 200, calls: ["Get W#w#KD s", "Query W#w#K#u"] });
  });

  it("list makes one query", async () => {
    const { calls } = await callsOf(listHandler, knowledgeList, {}, [...mocked.rows, source]);
    expect(calls).toEqual([`Query ${source.pk}`]);
  });

  it("delete makes one read, one transaction with its job, and one send", async () => {
    const { calls } = await callsOf(deleteHandler, knowledgeDelete, { sourceIds: ["s", "t"] }, [
      ...mocked.rows,
      source,
    ]);
    expect(calls).toEqual([
      `BatchGet ${source.pk} s, ${source.pk} t`,
      expect.stringMatching(/^TransactWrite Delete W#w#KD s if \{sourceUid\}, Put JOB#[\w-]+ JOB if absent$/),
      "SendMessageBatch",
    ]);
  });
});
