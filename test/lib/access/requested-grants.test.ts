import { describe, expect, it } from "vitest";
import { accessPairs, byOrganization } from "../../../lib/access/requested-grants.ts";

describe("accessPairs", () => {
  it("converts values to strings, and returns each pair once", () => {
    const access = { team: ["a", "b", "a"], level: [1, "1", 2.5], single: "x" };
    expect(accessPairs({ access })).toEqual([
      ["team", "a"],
      ["team", "b"],
      ["level", "1"],
      ["level", "2.5"],
      ["single", "x"],
    ]);
  });

  it("distinguishes pairs whose concatenated texts are equal", () => {
    expect(accessPairs({ access: { "a:b": "c", a: "b:c" } })).toHaveLength(2);
  });

  it("returns undefined without a context", () => {
    expect(accessPairs(undefined)).toBeUndefined();
  });
});

describe("byOrganization", () => {
  it("groups entries by organization, with the last entry of each resource", () => {
    const first = { type: "document" as const, id: "d", organizationId: "o", mark: 1 };
    const last = { ...first, mark: 2 };
    const other = { type: "folder" as const, id: "d", organizationId: "o", mark: 3 };
    const whole = { type: "organization" as const, id: "o", organizationId: undefined, mark: 4 };
    const grouped = byOrganization([first, { ...first, organizationId: "p" }, last, other, whole]);
    expect(grouped.get("o")).toEqual([last, other, whole]);
    expect(grouped.get("p")).toHaveLength(1);
  });
});
