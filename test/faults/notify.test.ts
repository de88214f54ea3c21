// Each fault at each call of a notification's worker: each recipient gets the notification once.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inboxEntryEntity } from "../../lib/store/notifications/inbox.ts";
import { atEveryCall, endAfter, faults } from "../support/aws/faults.ts";
import { itemsOf } from "../support/scan.ts";
import { endOf } from "./end.ts";
import * as scenes from "./scenes.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe.each([
  ["named users, one more than a batch", scenes.notificationOfNamed, scenes.named, 10],
  ["members, several pages of two shards", scenes.notificationOfMembers, scenes.members, 15],
  ["a group, several pages of it and of its organization", scenes.notificationOfGroup, scenes.members, 15],
  ["a group alone", scenes.notificationOfGroupOnly, scenes.members, 15],
] as const)("a notification to %s", (_, scene, users, callsMin) => {
  it.each(faults)("reaches each recipient once: %s", async (fault) => {
    const expected = await endOf((await endAfter(scene)).workspace);
    const calls = await atEveryCall(scene, fault, async (workspace, what) => {
      const items = await itemsOf(workspace);
      const { organizationId } = scenes;
      const pks = users.map((userId) => inboxEntryEntity.partition({ workspace, organizationId, userId }));
      const had = pks.map((pk) => items.filter((item) => item.pk === pk).length);
      expect(had, what).toEqual([0, ...users.slice(1).map(() => 1)]);
      expect(await endOf(workspace), what).toEqual(expected);
    });
    expect(calls).toBeGreaterThan(callsMin);
  });
});
