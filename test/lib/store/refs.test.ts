import { describe, expect, it } from "vitest";
import { isWithin, organizationPartition, workspacePartition } from "../../../lib/store/refs.ts";
import { workspaceEntryEntity } from "../../../lib/store/workspace.ts";

const organizationOf = (workspace: string) => organizationPartition({ workspace, organizationId: "o" });

// entities.test.ts tests the partitions of all entities.
describe("isWithin", () => {
  it("is true for a partition of the workspace", () => {
    expect(isWithin("a", workspacePartition({ workspace: "a" }))).toBe(true);
    expect(isWithin("a", organizationOf("a"))).toBe(true);
  });

  it.each([
    ["a longer id", "a", workspacePartition({ workspace: "ab" })],
    ["a longer id's organization", "a", organizationOf("ab")],
    ["an id that looks like a partition", "a", organizationOf("a#O#o")],
    ["a shorter id", "ab", workspacePartition({ workspace: "a" })],
    ["the list of all workspaces", "a", workspaceEntryEntity.partition({})],
  ])("is false for a partition of %s", (_, workspace, pk) => {
    expect(isWithin(workspace, pk)).toBe(false);
  });
});
