import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { judgmentsAdd } from "../../../functions/memory/judgments-add.ts";
import { memoryAsk } from "../../../functions/memory/memory-ask.ts";
import { handler, memorySearch } from "../../../functions/memory/memory-search.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { judgment, remember } from "../../support/memory.ts";
import { callSource, issuesOf, mocked } from "../../support/workspace.ts";

let alice: Credentials;

beforeEach(async () => {
  alice = await newWorkspace();
});
afterEach(() => void vi.useRealTimers());

const find = async (query: string, data: object = {}, as = alice) =>
  (await must(memorySearch, { as, data: { query, ...data } })).judgments.map(
    ({ recordId }: { recordId: string }) => recordId,
  );

describe("OK", () => {
  it("finds and returns an added judgment, and nothing else", async () => {
    const given = judgment("The discount was never approved.", {
      recordId: "r",
      organizationId: "acme",
      documentId: "plan",
      annotationId: "a",
      createdAt: "2026-01-31T12:00:00+02:00",
    });
    await remember(alice, given, judgment("The logo is too small."));
    const { judgments } = await must(memorySearch, { as: alice, data: { query: "discounts" } });
    expect(judgments).toEqual([{ ...given, createdAt: "2026-01-31T10:00:00.000Z" }]);
    expect(await find("unicorn")).toEqual([]);
  });

  it("takes a judgment of a clock that is up to five minutes ahead", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-31T12:00:00Z") });
    const judgmentAt = (createdAt: string) => judgment("A budget.", { recordId: createdAt, createdAt });
    const data = { judgments: [judgmentAt("2026-01-31T12:05:00.001Z")] };
    expect(await issuesOf(judgmentsAdd, alice, data)).toEqual(["judgments.0.createdAt"]);
    // A text that is no time is not in the future too.
    const noTime = { judgments: [judgmentAt("yesterday")] };
    expect(await issuesOf(judgmentsAdd, alice, noTime)).toEqual(["judgments.0.createdAt"]);
    await remember(alice, judgmentAt("2026-01-31T12:05:00Z"));
    expect(await find("budget")).toEqual(["2026-01-31T12:05:00Z"]);
  });

  it("takes the start of a date range and leaves out its end, so nothing is between a time and itself", async () => {
    const [start, end] = ["2026-01-31T12:00:00Z", "2026-01-31T12:00:01Z"];
    await remember(alice, judgment("A budget.", { recordId: "r", createdAt: start }));
    expect(await find("budget", { filters: { dateRange: { start, end } } })).toEqual(["r"]);
    expect(await find("budget", { filters: { dateRange: { start, end: start } } })).toEqual([]);
  });

  it("replaces the record of a known id, also when it moves to another month or organization", async () => {
    const moves = [{}, { createdAt: 1e12 }, { organizationId: "acme" }, { organizationId: "acme", createdAt: 1.1e12 }];
    for (const [index, move] of moves.entries()) {
      await remember(alice, judgment(`Reason${index} about budgets.`, { recordId: "r", ...move }));
      expect(await find("budgets"), String(index)).toEqual(["r"]);
      expect(await find(`reason${index - 1}`)).toEqual([]);
      expect(await find(`reason${index}`)).toEqual(["r"]);
    }
  });

  it("returns only records of the given organization and document", async () => {
    await remember(
      alice,
      judgment("A budget.", { recordId: "workspace" }),
      judgment("A budget.", { recordId: "acme", organizationId: "acme" }),
      judgment("A budget.", { recordId: "plan", organizationId: "acme", documentId: "plan" }),
      judgment("A budget.", { recordId: "#", organizationId: "acme#2" }),
    );
    expect((await find("budget")).sort()).toEqual(["#", "acme", "plan", "workspace"]);
    expect((await find("budget", { organizationId: "acme" })).sort()).toEqual(["acme", "plan"]);
    expect(await find("budget", { organizationId: "acme", documentId: "plan" })).toEqual(["plan"]);
    expect(await find("budget", { organizationId: "nobody" })).toEqual([]);
  });

  it.each([
    ["a document", "plan", ["alone", "page"]],
    ["a judgment, for its document", "plan-1", ["alone", "page", "plan-3"]],
    ["a judgment of another organization", "plan-3", ["alone", "page", "plan-1", "plan-2"]],
    ["a judgment without a document, for itself", "alone", ["page", "plan-1", "plan-2", "plan-3"]],
    ["an unknown document", "nothing", ["alone", "page", "plan-1", "plan-2", "plan-3"]],
  ])("leaves out what excludeDocumentIds names: %s", async (_, id, left) => {
    const acme = { organizationId: "acme", documentId: "plan" };
    await remember(
      alice,
      judgment("A budget.", { ...acme, recordId: "plan-1" }),
      judgment("A budget.", { ...acme, recordId: "plan-2", createdAt: 1e12 }),
      judgment("A budget.", { ...acme, recordId: "plan-3", organizationId: "acme#2" }),
      judgment("A budget.", { ...acme, recordId: "page", documentId: "page" }),
      judgment("A budget.", { recordId: "alone" }),
    );
    const bob = await newWorkspace();
    await remember(bob, judgment("A budget.", { documentId: "page", recordId: "nothing" }));
    expect((await find("budget", { filters: { excludeDocumentIds: [id] } })).sort()).toEqual(left);
  });

  it("finds 1,000 judgments of one call, and later additions and replacements", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) =>
      judgment(`Word${index} and budget.`, { recordId: `r${index}` }),
    );
    await remember(alice, ...many);
    expect(await find("word777")).toEqual(["r777"]);
    await Promise.all([
      remember(alice, judgment("Another subject.", { recordId: "r777" })),
      remember(alice, judgment("Word777 anew.", { recordId: "new" })),
    ]);
    expect(await find("word777")).toEqual(["new"]);
    expect(await find("word778")).toEqual(["r778"]);
  });

  it("keeps the judgments of all concurrent calls", async () => {
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => remember(alice, judgment("A budget.", { recordId: `r${index}` }))),
    );
    expect(await find("budget", { limit: 100 })).toHaveLength(12);
  });

  it("finds nothing of another workspace", async () => {
    await remember(alice, judgment("A budget."));
    expect(await find("budget", {}, await newWorkspace())).toEqual([]);
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    [{ query: " \n" }, ["query"]],
    [{ query: "q", limit: 0 }, ["limit"]],
    [{ query: "q", filters: { decision: "maybe" } }, ["filters", "decision"]],
    [{ query: "q", filters: { dateRange: { start: "yesterday" } } }, ["filters", "dateRange", "start"]],
    [{ query: "q", filters: { dateRange: { start: "yesterday", end: 1 } } }, ["filters", "dateRange", "start"]],
    [{ query: "q", filters: { dateRange: { start: 2, end: 1 } } }, ["filters", "dateRange"]],
    [{ query: "q", filters: { excludeDocumentIds: [] } }, ["filters", "excludeDocumentIds"]],
  ])("is returned for %j", async (data, path) => {
    const { error } = await call(memorySearch, { as: alice, data });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path }] } });
  });

  it.each([
    [{ filters: { decisions: "approved" } }, ["filters", "decisions"], "Did you mean decision?"],
    [{ filters: { start: 1 } }, ["filters", "start"], "Did you mean filters.dateRange.start?"],
    [{ filters: { organizationId: "acme" } }, ["filters", "organizationId"], "Did you mean organizationId?"],
    [{ filters: { colour: "red" } }, ["filters", "colour"], "Is not a known field."],
    [{ filters: { dateRange: { strat: 1 } } }, ["filters", "dateRange", "strat"], "Did you mean start?"],
    [{ decision: "approved" }, ["decision"], "Did you mean filters.decision?"],
    [{ dateRange: { start: 1 } }, ["dateRange"], "Did you mean filters.dateRange?"],
    [{ end: 1 }, ["end"], "Did you mean filters.dateRange.end?"],
    [{ filter: { decision: "approved" } }, ["filter"], "Did you mean filters?"],
    [{ Filters: { decision: "approved" } }, ["Filters"], "Did you mean filters?"],
    [{ organisationId: "acme" }, ["organisationId"], "Did you mean organizationId?"],
    [{ documentID: "plan" }, ["documentID"], "Did you mean documentId?"],
    [{ excludeDocumentId: ["plan"] }, ["excludeDocumentId"], "Did you mean filters.excludeDocumentIds?"],
    [{ date_range: { start: 1 } }, ["date_range"], "Did you mean filters.dateRange?"],
  ])("is returned for the misplaced or unknown filter of %j", async (data, path, hint) => {
    for (const [endpoint, asked] of [
      [memorySearch, { query: "q" }],
      [memoryAsk, { question: "q" }],
    ] as const) {
      const { error } = await call(endpoint, { as: alice, data: { ...asked, ...data } });
      expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path }] } });
      expect(JSON.stringify(error?.details)).toContain(hint);
    }
  });

  it("is not returned for an unknown filter that is null, nor for other unknown fields", async () => {
    expect(await find("q", { filters: { colour: null }, decision: null, colour: "red" })).toEqual([]);
  });

  it.each([
    [{ decision: "maybe" }, "decision"],
    [{ reasoning: "" }, "reasoning"],
    [{ createdAt: "31.1.2026" }, "createdAt"],
    [{ createdAt: Date.now() + 3_600_000 }, "createdAt"],
    [{ actionUser: {} }, "actionUser"],
  ])("is returned for a judgment with %j, and no judgment of the call is stored", async (fields, path) => {
    const judgments = [judgment("A budget."), judgment("A budget.", fields)];
    const { error } = await call(judgmentsAdd, { as: alice, data: { judgments } });
    expect(JSON.stringify(error?.details)).toContain(path);
    expect(await find("budget")).toEqual([]);
  });
});

describe("AWS calls", () => {
  it("reads the months, then what the container has not cached, then the found records", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-02-03") });
    const month = { pk: "W#w#JD", sk: "acme#2026-01", organizationId: "acme", month: "2026-01", version: 1, size: 1 };
    const record = {
      ...judgment("A budget."),
      recordId: "r",
      organizationId: "acme",
      createdAt: "2026-01-02T00:00:00.000Z",
    };
    const item = { pk: "W#w#J#acme#M#2026-01", sk: `${record.createdAt}#r`, ...record };
    const aws = mockAws([...mocked.rows, month, item]);
    const ask = () => callSource(handler, memorySearch, { query: "budget", organizationId: "acme" });
    expect(await ask()).toBe(200);
    const [credentials, ...cold] = aws.calls();
    expect(credentials).toContain("WORKSPACE");
    expect(cold).toEqual(["Query W#w#JD", "Query W#w#J#acme#M#2026-01", `Get ${item.pk} ${item.sk}`]);
    expect(await ask()).toBe(200);
    expect(aws.calls().slice(4)).toEqual(["Query W#w#JD", `Get ${item.pk} ${item.sk}`]);
    aws.restore();
    vi.useRealTimers();
  });
});
