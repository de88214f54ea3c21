import { describe, expect, it } from "vitest";
import { filterOf, overlaps, type Scope, spanOf } from "../../../lib/memory/scope.ts";

const now = Date.parse("2026-03-10T15:00:00Z");
const day = 24 * 3_600_000;
const fields = { pk: "", sk: "", at: now, decision: "approved", documentId: "d", annotationId: "a" };
const keeps = (scope: Scope, of: object = {}) => filterOf(scope, spanOf(scope, now))({ ...fields, ...of });

describe("the span", () => {
  it("with recency ends at the start of the current UTC day, and overrides the range", () => {
    const start = Date.parse("2026-03-08T00:00:00Z");
    const filters = { dateRange: { start: 0 } };
    expect(spanOf({ recencyDays: 2, filters }, now)).toEqual({ start, end: start + 2 * day });
  });

  it("with an annotation is that of the filters, and ignores recency", () => {
    const filters = { annotationId: "a", dateRange: { start: "2026-01-01", end: 5e12 } };
    expect(spanOf({ recencyDays: 2, filters }, now)).toEqual({ start: Date.parse("2026-01-01"), end: 5e12 });
  });

  it("overlaps months", () => {
    const span = { start: Date.parse("2026-01-31T23:59:59Z"), end: Date.parse("2026-03-01T00:00:00Z") };
    expect(["2025-12", "2026-01", "2026-02", "2026-03"].filter((month) => overlaps(month, span))).toEqual([
      "2026-01",
      "2026-02",
    ]);
  });
});

describe("the filter", () => {
  it.each<[string, Scope, object, boolean]>([
    ["no filter", {}, {}, true],
    ["a document without its organization", { documentId: "other" }, {}, true],
    ["another document", { organizationId: "o", documentId: "other" }, {}, false],
    ["one decision", { filters: { decision: "rejected" } }, {}, false],
    ["several decisions", { filters: { decision: ["rejected", "approved"] } }, {}, true],
    ["another annotation", { filters: { annotationId: "b" } }, {}, false],
    ["an excluded document", { filters: { excludeDocumentIds: ["d"] } }, {}, false],
    ["a record without document", { filters: { excludeDocumentIds: ["d"] } }, { documentId: undefined }, true],
    ["the start, inclusive", { filters: { dateRange: { start: now } } }, {}, true],
    ["the end, exclusive", { filters: { dateRange: { end: now } } }, {}, false],
    ["today, for recency", { recencyDays: 365 }, {}, false],
    ["yesterday, for recency", { recencyDays: 1 }, { at: now - day }, true],
  ])("%s", (_, scope, of, kept) => expect(keeps(scope, of)).toBe(kept));
});
