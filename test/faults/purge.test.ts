// Each fault at each call of a migration, a purge, an erasure and the deletion of an organization: the final state is that of a run without a fault.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { atEveryCall, endAfter, faults } from "../support/aws/faults.ts";
import { endOf } from "./end.ts";
import { workspaceErasure } from "./erasure-scene.ts";
import * as scenes from "./scenes.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** An erasure and the deletion of an organization make many more calls than a purge: each is tested with two faults. */
const worst = ["reply lost", "process killed"] as const;
const killed = ["process killed", "process killed after the call"] as const;

describe.each([
  ["migration to an id with grants", scenes.migration, faults, 15],
  ["deletion of a folder", scenes.folderDeletion, faults, 15],
  ["purge of a document", scenes.documentPurge, faults, 15],
  ["erasure of a user", scenes.erasure, worst, 30],
  ["erasure of two users in two organizations", workspaceErasure, killed, 100],
  ["deletion of an organization", scenes.organizationDeletion, worst, 100],
] as const)("%s", (_, scene, faults, callsMin) => {
  it.each(faults)("ends as without a fault: %s", async (fault) => {
    const expected = await endOf((await endAfter(scene)).workspace);
    const calls = await atEveryCall(scene, fault, async (workspace, what) => {
      expect(await endOf(workspace), what).toEqual(expected);
    });
    expect(calls).toBeGreaterThan(callsMin);
  });
});
