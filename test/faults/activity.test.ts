// Each fault at each call of the writer of an activity log: each event is recorded once, in the order of the calls.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { updateActivities } from "../../lib/activity/edit-activities.ts";
import { inCall } from "../../lib/call.ts";
import type { ChainRecord } from "../../lib/store/activity/activity-chain.ts";
import type { OrganizationRef } from "../../lib/store/refs.ts";
import { verified } from "../support/activity-log.ts";
import { atEveryCall, faults, type Scene } from "../support/aws/faults.ts";
import { addEvents, addOwn, expectListed, loggedCall, newOwnLog } from "../support/own-log.ts";
import { itemsOf } from "../support/scan.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], shouldAdvanceTime: true, advanceTimeDelta: 2 }));
afterEach(() => void vi.useRealTimers());

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);
/** More than one transaction takes. */
const [before, own, after] = [names("a", 70), names("own", 3), names("z", 40)];

let organization: OrganizationRef;
const pass = () => vi.setSystemTime(Date.now() + 50);

const scene: Scene = {
  arrange: async () => {
    organization = await newOwnLog();
    await addEvents(organization, before);
    pass();
    await addOwn(organization, own);
    pass();
    await addEvents(organization, after);
    pass();
    await inCall(loggedCall(), () => updateActivities(organization, [{ activityId: "own0", displayMessage: "new" }]));
    return organization.workspace;
  },
};

const nameOf = ({ documentId, target }: ChainRecord) => (target === undefined ? documentId : `update of ${target}`);

describe("the log", () => {
  it.each(faults)("has each event once, in their order and in all lists: %s", async (fault) => {
    const calls = await atEveryCall(scene, fault, async (apiKey, what) => {
      const records = await verified({ apiKey, authToken: "" });
      expect(records.map(nameOf), what).toEqual([...before, ...own, ...after, "update of own0"]);
      await expectListed(organization, [...before, ...own, ...after]);
      const waiting = (await itemsOf(apiKey)).filter(({ entity, waiting }) => entity === "activity-entry" || waiting);
      expect(waiting, what).toEqual([]);
    });
    expect(calls).toBeGreaterThan(20);
  });
});
