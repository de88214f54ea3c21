import { describe, expect, it } from "vitest";
import { filterOf, overlaps, type Scope, spanOf } from "../../../lib/memory/scope.ts";

const now = Date.parse("2026-03-10T15:00:00Z");
const day = 24 * 3_600_000;
const fields = { pk: "", sk: "", at: now, decision: "approved", documentId: "d", annotationId: "a" };
const keeps = (scope: Scope, of: object = {}) => filterOf(scope, spanOf(scope, now))({ ...fields, ...of });

describe("spanOf", () => {
  it("ends at the start of the current UTC day with recencyDays, which replaces the date range", () => {
    const start = Date.parse("2026-03-08T00:00:00Z");
    const filters = { dateRange: { start: 0 } };
    expect(spanOf({ recencyDays: 2, filters }, now)).toEqual({ start, end: start + 2 * day });
  });

  it("returns the date range of filters with an annotation, and ignores recencyDays", () => {
    const filters = { annotationId: "a", dateRange: { start: "2026-01-01", end: 5e12 } };
    expect(spanOf({ recencyDays: 2, filters }, now)).toEqual({ start: Date.parse("2026-01-01"), end: 5e12 });
  });

  it("returns a span that overlaps a month unless it ends at the month's start", () => {
    const span = { start: Date.parse("2026-01-31T23:59:59Z"), end: Date.parse("2026-03-01T00:00:00Z") };
    expect(["2025-12", "2026-01", "2026-02", "2026-03"].filter((month) => overlaps(month, span))).toEqual([
      "2026-01",
      "2026-02",
    ]);
  });
});

describe("filterOf", () => {
  it.each<[string, Scope, object, boolean]>([
    ["keeps every record without a filter", {}, {}, true],
    ["ignores a document without its organization", { documentId: "other" }, {}, true],
    ["drops a record of another document", { organizationId: "o", documentId: "other" }, {}, false],
    ["drops a record with another decision", { filters: { decision: "rejected" } }, {}, false],
    ["keeps a record with one of several decisions", { filters: { decision: ["rejected", "approved"] } }, {}, true],
    ["drops a record of another annotation", { filters: { annotationId: "b" } }, {}, false],
    ["keeps a record at the start of the range", { filters: { dateRange: { start: now } } }, {}, true],
    ["drops a record at the end of the range", { filters: { dateRange: { end: now } } }, {}, false],
    ["drops a record of today with recencyDays", { recencyDays: 365 }, {}, false],
    ["keeps a record of yesterday with recencyDays", { recencyDays: 1 }, { at: now - day }, true],
  ])("%s", (_, scope, of, kept) => expect(keeps(scope, of)).toBe(kept));
});
