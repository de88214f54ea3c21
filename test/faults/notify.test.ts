// Whatever call the workers of a fan-out are stopped at, and however, each of its users has the notification once.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dataKeys } from "../../lib/store/data-keys.ts";
import { atEveryCall, endAfter, faults } from "../support/aws/faults.ts";
import { itemsOf } from "../support/scan.ts";
import { endOf } from "./end.ts";
import * as scenes from "./scenes.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe.each([
  ["the users it names, a batch and one", scenes.notificationOfNamed, scenes.named, 10],
  ["members, some pages of two shards", scenes.notificationOfMembers, scenes.members, 15],
] as const)("a notification to %s", (_, scene, users, callsMin) => {
  it.each(faults)("is had once by each: %s", async (fault) => {
    const expected = await endOf((await endAfter(scene)).workspace);
    const calls = await atEveryCall(scene, fault, async (workspace, what) => {
      const items = await itemsOf(workspace);
      const pks = users.map((id) => dataKeys.userNotifications(workspace, scenes.organizationId, id));
      const had = pks.map((pk) => items.filter((item) => item.pk === pk).length);
      expect(had, what).toEqual([0, ...users.slice(1).map(() => 1)]);
      expect(await endOf(workspace), what).toEqual(expected);
    });
    expect(calls).toBeGreaterThan(callsMin);
  });
});
