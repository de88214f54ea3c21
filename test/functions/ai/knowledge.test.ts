import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { handler as deleteHandler, knowledgeDelete } from "../../../functions/ai/knowledge-delete.ts";
import { knowledgeList, handler as listHandler } from "../../../functions/ai/knowledge-list.ts";
import { purge } from "../../../functions/workers/purge.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { forgetSources } from "../../../lib/memory/forget-sources.ts";
import { search, searchJudgments } from "../../../lib/memory/search.ts";
import * as Knowledge from "../../../lib/store/knowledge.ts";
import { memoryKeys } from "../../../lib/store/memory-keys.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { callsOf } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { judgment, remember } from "../../support/memory.ts";
import { deliver } from "../../support/run-worker.ts";
import { mocked } from "../../support/workspace.ts";

let as: Credentials;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  as = await newWorkspace();
});
afterEach(() => void vi.useRealTimers());

const add = (sourceId: string, lines: string[], more: object = {}) =>
  Knowledge.add(as.apiKey, { sourceId, uid: crypto.randomUUID(), mimeType: "text/plain", ...more }, lines);
const find = async (question: string, scope: object = {}) =>
  (await search(as.apiKey, question, scope, 10)).map(({ judgment, passage }) => (passage ?? judgment).recordId);

describe("knowledge/list", () => {
  it("pages through the sources, each once, and shows none of another workspace", async () => {
    for (const id of ["a", "b", "c"]) await add(id, ["Text."], { fileName: `${id}.txt` });
    const [first, second] = [await must(knowledgeList, { as, data: { pageSize: 2 } }), null];
    expect(second).toBeNull();
    const rest = await must(knowledgeList, { as, data: { pageSize: 2, pageToken: first.nextPageToken } });
    const shown = { mimeType: "text/plain", createdAt: expect.stringMatching(/Z$/), chunkCount: 1 };
    expect([...first.sources, ...rest.sources]).toEqual(
      ["a", "b", "c"].map((sourceId) => ({ sourceId, fileName: `${sourceId}.txt`, ...shown })),
    );
    expect(rest.nextPageToken).toBeNull();
    expect((await must(knowledgeList, { as: await newWorkspace() })).sources).toEqual([]);
  });
});

describe("a question", () => {
  it("finds passages beside judgments, where it is of the whole workspace", async () => {
    await add("guide", ["The discount of ten percent needs finance."], { fileName: "guide.txt" });
    await remember(as, judgment("The discount was refused.", { recordId: "r", organizationId: "acme" }));
    expect((await find("discount of finance")).sort()).toEqual(["guide.0", "r"]);
    const [best] = await search(as.apiKey, "finance percent", {}, 1);
    expect(best?.passage).toMatchObject({ fileName: "guide.txt", text: "The discount of ten percent needs finance." });
  });

  it.each([
    ["an organization", { organizationId: "acme" }],
    ["a decision", { filters: { decision: "rejected" } }],
    ["recency", { recencyDays: 7 }],
    ["a time before it", { filters: { dateRange: { end: "2001-01-01" } } }],
    ["an annotation", { filters: { annotationId: "x" } }],
  ])("finds none where it names %s", async (_, scope) => {
    await add("guide", ["The discount needs finance."]);
    expect(await find("discount finance", scope)).toEqual([]);
  });

  it("finds none of another workspace, and none in a search for judgments", async () => {
    await add("guide", ["The discount needs finance."]);
    expect(await search((await newWorkspace()).apiKey, "discount", {}, 10)).toEqual([]);
    expect(await searchJudgments(as.apiKey, "discount", {}, 10)).toEqual([]);
  });

  it("finds each part of a long source by its own words", async () => {
    await add(
      "book",
      Array.from({ length: 300 }, (_, index) => `Line ${index} tells of topic${index}. ${"x".repeat(60)}`),
    );
    const [place] = await find("topic250");
    expect(place).toMatch(/^book\.\d+$/);
    expect(place).not.toBe("book.0");
  });
});

describe("knowledge/delete", () => {
  it("ends it for every question at once, also where a container has read it; a purge removes the rest", async () => {
    const uid = "uid-1";
    await Knowledge.add(as.apiKey, { sourceId: "guide", uid, mimeType: "text/plain" }, ["The discount needs finance."]);
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
    expect((await Table.query({ pk: memoryKeys.chunks(as.apiKey, uid) })).items).toEqual([]);
  });

  it("leaves what was stored again under the id, and other workspaces' sources", async () => {
    await add("guide", ["Old words."]);
    await forgetSources(as.apiKey, ["guide"]);
    await add("guide", ["New words."]);
    const other = await newWorkspace();
    expect(await forgetSources(other.apiKey, ["guide"])).toEqual(new Set());
    expect(await find("new words")).toEqual(["guide.0"]);
  });

  it("refuses no ids", async () => {
    expect((await call(knowledgeDelete, { as, data: { sourceIds: [] } })).status).toBe(400);
  });
});

describe("AWS calls", () => {
  const source = {
    ...memoryKeys.source("w", "s"),
    sourceId: "s",
    uid: "x",
    mimeType: "text/plain",
    createdAt: "",
    chunkCount: 1,
  };

  it("list: one query", async () => {
    const { calls } = await callsOf(listHandler, knowledgeList, {}, [...mocked.rows, source]);
    expect(calls).toEqual([`Query ${source.pk}`]);
  });

  it("delete: one read, one transaction with its job, and one send", async () => {
    const { calls } = await callsOf(deleteHandler, knowledgeDelete, { sourceIds: ["s", "t"] }, [
      ...mocked.rows,
      source,
    ]);
    expect(calls).toEqual([
      `BatchGet ${source.pk} s, ${source.pk} t`,
      expect.stringMatching(/^TransactWrite Delete W#w#KD s, Put JOB#[\w-]+ JOB$/),
      "SendMessageBatch",
    ]);
  });
});
