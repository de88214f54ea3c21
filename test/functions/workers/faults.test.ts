// Whatever call the workers of a job are stopped at, and however, the end is that of an undisturbed run.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import type { Item } from "../../../lib/store/table.ts";
import { atEveryCall, endAfter, faults } from "../../support/faults.ts";
import { itemsOf } from "../../support/scan.ts";
import { startVendorServer } from "../../support/vendor-server.ts";
import * as scenes from "./fault-scenes.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** What the workspace holds in the end; times and what is random are left out. */
async function endOf(workspace: string): Promise<string[]> {
  const shown = (await itemsOf(workspace)).map((item) => plain(item).replaceAll(workspace, "w"));
  // A purge may be there twice, as it removes what is gone; nothing else may.
  return shown.filter((each, index) => !each.startsWith("purge") || shown.indexOf(each) === index).sort();
}

function plain(item: Item): string {
  if (item.pk.startsWith("JOB#")) return `${item.kind} ${item.state}`;
  const passing =
    /^(?:at|rev|apiKey|cursorSecret|sealed|version|ttl|vendorCalls|\w+Sealed|(?:lastAttempt|created|updated|switched|started)At)$/;
  const fields = Object.entries(item).filter(([name]) => !passing.test(name));
  return JSON.stringify(Object.fromEntries(fields.sort()), (_, value) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value,
  );
}

/** An erasure is a purge that makes many more calls: the worst that can happen to each stands for all. */
const worst = ["answer lost", "process gone"] as const;

describe.each([
  ["migration to an id with grants", scenes.migration, faults, 15],
  ["purge of a document", scenes.documentPurge, faults, 15],
  ["erasure of a user", scenes.erasure, worst, 30],
] as const)("%s", (_, scene, faults, callsMin) => {
  it.each(faults)("ends as undisturbed: %s", { timeout: 120_000 }, async (fault) => {
    const expected = await endOf((await endAfter(scene)).workspace);
    const calls = await atEveryCall(scene, fault, async (workspace, what) => {
      expect(await endOf(workspace), what).toEqual(expected);
    });
    expect(calls).toBeGreaterThan(callsMin);
  });
});

describe("an extraction", () => {
  const agent = { name: "N", description: "D", prompt: "P", taskNumbers: [1], userContextFields: [] };
  const answer = { agents: [agent], skipped: [], summary: "S", totalTasksParsed: 27 };

  it.each(faults)(
    "ends as undisturbed, and pays once unless its process died: %s",
    { timeout: 120_000 },
    async (fault) => {
      const vendor = await startVendorServer();
      onTestFinished(vendor.close);
      vendor.behave(JSON.stringify(answer));
      const scene = scenes.extraction(() => vendor.baseUrl("openai"));
      const expected = await endOf((await endAfter(scene)).workspace);
      expect(expected.join()).toContain("completed");
      vendor.requests.length = 0;
      const calls = await atEveryCall(scene, fault, async (workspace, what) => {
        expect(await endOf(workspace), what).toEqual(expected);
        const hasDied = fault === "process gone" || fault === "woken after its lease ended";
        expect(vendor.requests.splice(0).length, what).toBeLessThanOrEqual(hasDied ? 2 : 1);
      });
      expect(calls).toBeGreaterThan(10);
    },
  );
});

describe.each([
  ["the users it names, a batch and one", scenes.notificationOfNamed, scenes.named, 10],
  ["members, some pages of two shards", scenes.notificationOfMembers, scenes.members, 15],
] as const)("a notification to %s", (_, scene, users, callsMin) => {
  it.each(faults)("is had once by each: %s", { timeout: 120_000 }, async (fault) => {
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
