import { beforeEach, describe, expect, it } from "vitest";
import { knowledgeDelete } from "../../../functions/memory/knowledge-delete.ts";
import { knowledgeGet } from "../../../functions/memory/knowledge-get.ts";
import { knowledgeList } from "../../../functions/memory/knowledge-list.ts";
import { memoryAsk } from "../../../functions/memory/memory-ask.ts";
import { agentsExtract } from "../../../functions/models-and-agents/agents-extract.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import { search } from "../../../lib/memory/search.ts";
import { type Credentials, call, must } from "../../support/call.ts";
import { csv, extract, fileOf, startExtractionVendor, withKeys, work } from "../../support/extraction.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { runPurges } from "../../support/run-purges.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();
const vendor = await startExtractionVendor();
let as: Credentials;
const organizations = (...ids: string[]) => ids.map((organizationId) => ({ organizationId }));

beforeEach(async () => {
  as = await withKeys(vendor);
  await must(organizationsAdd, { as, data: { organizations: organizations("acme", "beta") } });
});

/** Extracts the file. Returns the id of its source. */
async function sourceOf(data: object = {}): Promise<string> {
  const reply = await extract(as, { ...fileOf(csv), ...data });
  return reply.data.extractionResult.memory.sourceId;
}
const find = async (scope: object = {}, question = "check links") =>
  (await search({ workspace: as.apiKey }, { question, scope, limit: 10 })).found
    .flatMap(({ passage }) => passage?.recordId ?? [])
    .sort();
const listed = async (data: object = {}): Promise<{ sourceId: string; organizationId?: string }[]> =>
  (await must(knowledgeList, { as, data })).sources;
const passages = (...sources: string[]) => sources.map((source) => `${source}.0`).sort();

describe("a file of an organization", () => {
  it("is found by the questions of its organization and of the workspace only", async () => {
    const acme = await sourceOf({ organizationId: "acme" });
    const beta = await sourceOf({ organizationId: "beta" });
    const own = await sourceOf();
    expect(new Set([acme, beta, own]).size).toBe(3);
    expect(await find({ organizationId: "acme" })).toEqual(passages(acme));
    expect(await find({ organizationId: "beta" })).toEqual(passages(beta));
    expect(await find({ organizationId: "gamma" })).toEqual([]);
    expect(await find({ organizationId: "acme", documentId: "plan" })).toEqual([]);
    expect(await find()).toEqual(passages(acme, beta, own));
    const mark = { organizationId: "acme", question: "Who checks the links?" };
    vendor.behave(JSON.stringify({ answer: "Dev.", citations: [{ recordId: `${acme}.0`, snippet: "Dev" }] }));
    expect((await must(memoryAsk, { as, data: mark })).result.citations).toMatchObject([{ verified: true }]);
  });

  it("is listed with its organization, and deleted alone", async () => {
    const [acme, own] = [await sourceOf({ organizationId: "acme" }), await sourceOf()];
    expect(await listed({ organizationId: "acme" })).toMatchObject([{ sourceId: acme, organizationId: "acme" }]);
    expect(await listed({ organizationId: "beta" })).toEqual([]);
    expect((await listed()).map(({ organizationId }) => organizationId).sort()).toEqual(["acme", undefined]);
    await must(knowledgeDelete, { as, data: { sourceIds: [acme] } });
    expect(await find()).toEqual(passages(own));
  });

  it("has a run of its own, which the same call finds again", async () => {
    await sourceOf();
    const acme = await sourceOf({ organizationId: "acme" });
    expect(vendor.requests).toHaveLength(2);
    expect(await sourceOf({ organizationId: "acme" })).toBe(acme);
    expect(vendor.requests).toHaveLength(2);
  });

  it("is hidden when the deletion of the organization begins, and deleted with its passages", async () => {
    const [acme, own] = [await sourceOf({ organizationId: "acme" }), await sourceOf()];
    await must(organizationsDelete, { as, data: { organizationId: "acme" } });
    expect(await find({ organizationId: "acme" })).toEqual([]);
    expect(await find()).toEqual(passages(own));
    expect(await listed()).toMatchObject([{ sourceId: own }]);
    expect((await call(knowledgeGet, { as, data: { sourceId: acme } })).error?.status).toBe("NOT_FOUND");
    await runPurges(as);
    const left = (await itemsOf(as.apiKey)).filter(({ entity }) => String(entity).startsWith("knowledge"));
    expect(left.map(({ entity }) => entity).sort()).toEqual(["knowledge-chunk", "knowledge-source"]);
    await must(organizationsAdd, { as, data: { organizations: organizations("acme") } });
    expect(await find({ organizationId: "acme" })).toEqual([]);
    expect(await sourceOf({ organizationId: "acme" })).not.toBe(acme);
  });

  it("is not stored when the organization is deleted during its run", async () => {
    const reply = call(agentsExtract, {
      as,
      data: { ...fileOf(csv), organizationId: "acme" },
      remainingMs: 28_000,
    });
    const entities = async () => (await itemsOf(as.apiKey)).map(({ entity }) => entity);
    await expect.poll(entities, { timeout: 20_000 }).toContain("ingest-run");
    await must(organizationsDelete, { as, data: { organizationId: "acme" } });
    await work(as);
    expect((await reply).error).toMatchObject({
      status: "INTERNAL",
      message: expect.stringContaining("The organization has been deleted."),
    });
    expect(await listed()).toEqual([]);
    expect(vendor.requests).toEqual([]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each(["gamma", "", "acme "])("is returned for the organization %j, which names organizationId", async (id) => {
    const { error } = await call(agentsExtract, { as, data: { ...fileOf(csv), organizationId: id } });
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      details: { issues: [{ path: ["organizationId"] }] },
    });
    expect(await listed()).toEqual([]);
  });
});
