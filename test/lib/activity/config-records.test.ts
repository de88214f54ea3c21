// Each chain has a record of each change of what its log records.
import { describe, expect, it, vi } from "vitest";
import { activitiesUpdate } from "../../../functions/activity-log/activities-update.ts";
import { authtokensCreate } from "../../../functions/auth-tokens/authtokens-create.ts";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { activity } from "../../../functions/workers/activity.ts";
import { unlockActivities } from "../../../infra/admin/activity-log/unlock.ts";
import { appendJob } from "../../../lib/activity/append-job.ts";
import { activityChanges } from "../../../lib/activity/config.ts";
import { wakeLogsJob } from "../../../lib/activity/wake-logs.ts";
import { inCall, newCall } from "../../../lib/call.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import * as Activity from "../../../lib/store/activity/activity.ts";
import * as Setting from "../../../lib/store/setting.ts";
import {
  addActivities,
  append,
  chainOf,
  configure,
  newLog,
  organizationId,
  verified,
} from "../../support/activity-log.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { addEvents } from "../../support/own-log.ts";

fakeDates();

const addDocument = (as: Credentials, documentId: string) =>
  must(documentsAdd, { as, data: { organizationId, documents: [{ documentId }] } });

async function change(as: Credentials, activityServiceConfig: object): Promise<void> {
  later(1);
  await configure(as, activityServiceConfig);
}

/** What the records of changes say, in their order. */
async function changesIn(as: Credentials): Promise<object[]> {
  await verified(as);
  const chain = (await chainOf(as)).filter(({ record }) => /"activity\.(configure|unlock)"/.test(record));
  return chain.map(({ texts }) => JSON.parse(JSON.parse(texts ?? "").changes.text));
}

describe("a log that was muted for a while", () => {
  it("shows when it was off, and when it was on again", async () => {
    const as = await newLog();
    await append(as);
    await change(as, { isEnabled: false });
    await addDocument(as, "unseen");
    await change(as, { isEnabled: true });
    later(1);
    await addDocument(as, "seen");
    await append(as);
    expect((await verified(as)).map(({ eventType, documentId }) => [eventType, documentId])).toEqual([
      ["activity.configure", undefined],
      ["organization.add", undefined],
      ["activity.configure", undefined],
      ["activity.configure", undefined],
      ["document.add", "seen"],
    ]);
    expect(await changesIn(as)).toEqual([
      { number: 1, isEnabled: true },
      { number: 2, isEnabled: false },
      { number: 3, isEnabled: true },
    ]);
  });

  it.each<[string, object[], object[]]>([
    [
      "a trigger",
      [{ triggers: { document: { added: false } } }, { triggers: { document: { added: true } } }],
      [
        { number: 2, isEnabled: true, triggers: { document: { added: false } } },
        { number: 3, isEnabled: true, triggers: { document: { added: true } } },
      ],
    ],
    ["immutable", [{ immutable: true }], [{ number: 2, isEnabled: true, immutable: true }]],
    ["values that it has already: none", [{ isEnabled: true }, { isEnabled: true, triggers: undefined }, {}], []],
  ])("shows a change of %s", async (_, steps, records) => {
    const as = await newLog();
    await append(as);
    for (const step of steps) await change(as, step);
    await append(as);
    expect((await changesIn(as)).slice(1)).toEqual(records);
  });

  it("shows that changes are missing, if there were too many between two records", async () => {
    const as = await newLog();
    await append(as);
    for (let index = 0; index < 26; index++) await change(as, { triggers: { crdt: { added: index % 2 > 0 } } });
    await append(as);
    const numbers = (await changesIn(as)).map((each) => (each as { number: number }).number);
    expect(numbers).toEqual([1, ...Array.from({ length: 20 }, (_, index) => index + 8)]);
  });
});

describe("the job of a change", () => {
  const run = (as: Credentials, payload = {}) =>
    activity.run({ ...wakeLogsJob({ workspace: as.apiKey }), payload }, Date.now() + 20_000);

  it("wakes the writer of each chain, and of no other organization", async () => {
    const as = await newLog();
    await append(as);
    await must(organizationsAdd, { as, data: { organizations: [{ organizationId: "without-a-chain" }] } });
    await change(as, { isEnabled: false });
    expect(await run(as)).toBe("done");
    await append(as);
    expect((await changesIn(as)).slice(1)).toEqual([{ number: 2, isEnabled: false }]);
    expect(await Activity.head({ workspace: as.apiKey, organizationId: "without-a-chain" })).toBeUndefined();
  });

  it("reads the organizations in pages, and begins again after a change in between", async () => {
    const as = await newLog();
    const organizations = Array.from({ length: 150 }, (_, index) => ({ organizationId: `o${index}` }));
    await must(organizationsAdd, { as, data: { organizations } });
    await change(as, { isEnabled: false });
    const first = await run(as);
    expect(first).toMatchObject({ again: { payload: { revision: 2, from: expect.any(String) } } });
    const { payload } = (first as { again: { payload: object } }).again;
    expect(await run(as, payload)).toBe("done");
    await change(as, { isEnabled: true });
    expect(await run(as, payload)).toEqual({ again: { payload: {}, delaySeconds: 0 } });
  });
});

describe("a chain", () => {
  const addOrganization = (as: Credentials) =>
    must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });

  it("begins with the setting that was in force at its first activity", async () => {
    const as = await newWorkspace();
    await configure(as, { isEnabled: true });
    await change(as, { triggers: { document: { added: false } } });
    await change(as, { immutable: true });
    const at = new Date().toISOString();
    later(1);
    await addOrganization(as);
    await addDocument(as, "unseen");
    await change(as, { triggers: { user: { added: true } } });
    await append(as);
    const config = { isEnabled: true, immutable: true, triggers: { document: { added: false } } };
    expect((await verified(as)).map(({ eventType }) => eventType)).toEqual([
      "activity.configure",
      "organization.add",
      "activity.configure",
    ]);
    expect((await verified(as))[0]).toMatchObject({ createdAt: at });
    const [first, second] = await changesIn(as);
    expect(first).toEqual({ number: 3, ...config });
    expect(second).toEqual({ number: 4, ...config, triggers: { ...config.triggers, user: { added: true } } });
    await append(as);
    expect(await verified(as)).toHaveLength(3);
  });

  it("begins with the setting after an unlock, and says it", async () => {
    const as = await newWorkspace();
    await configure(as, { isEnabled: true, immutable: true });
    await unlockActivities({ workspace: as.apiKey });
    later(1);
    await addOrganization(as);
    await append(as);
    expect(await changesIn(as)).toEqual([{ number: 2, isEnabled: true, immutable: false }]);
  });

  it("begins with the oldest change that is known, if its first activity is older than that", async () => {
    const as = await newWorkspace();
    await configure(as, { isEnabled: true });
    later(1);
    await addOrganization(as);
    for (let index = 0; index < 21; index++) await change(as, { triggers: { crdt: { added: index % 2 > 0 } } });
    await append(as);
    const [first] = await verified(as);
    expect(first?.eventType).toBe("activity.configure");
    expect((await changesIn(as))[0]).toMatchObject({ number: 3 });
  });

  it("does not begin without an activity", async () => {
    const as = await newWorkspace();
    await addOrganization(as);
    await configure(as, { isEnabled: true });
    expect(await append(as)).toBe("done");
    expect(await Activity.head({ workspace: as.apiKey, organizationId })).toBeUndefined();
  });
});

describe("the place of a change", () => {
  const typesIn = async (as: Credentials) =>
    (await verified(as)).map(({ eventType, documentId }) => documentId ?? eventType);

  it("is after all calls that were answered before it, also when the writer runs at once, and before all later calls", async () => {
    const as = await newLog();
    await append(as);
    for (const documentId of ["a", "b"]) {
      await addDocument(as, documentId);
      await change(as, { immutable: documentId === "a", triggers: { crdt: { added: documentId === "a" } } }).catch(
        () => {},
      );
      const run = await activity.run(appendJob({ workspace: as.apiKey, organizationId }), Date.now() + 20_000);
      expect(run).toMatchObject({ again: { delaySeconds: expect.any(Number) } });
      later(1);
    }
    await addDocument(as, "c");
    await append(as);
    expect((await typesIn(as)).slice(2)).toEqual(["a", "activity.configure", "b", "c"]);
  });

  it("is found by the writer when it is old enough, without another activity", async () => {
    const as = await newLog();
    await append(as);
    await change(as, { immutable: true });
    const job = appendJob({ workspace: as.apiKey, organizationId });
    later(10);
    expect(await activity.run(job, Date.now() + 20_000)).toEqual({ again: { payload: job.payload, delaySeconds: 5 } });
    later(6);
    expect(await activity.run(job, Date.now() + 20_000)).toBe("done");
    expect((await typesIn(as)).slice(2)).toEqual(["activity.configure"]);
  });

  it("is among more activities than one read finds", async () => {
    const as = await newLog();
    await append(as);
    const many = Array.from({ length: 600 }, (_, index) => `d${index}`);
    for (const documentId of many) {
      later(0.03);
      await addEvents({ workspace: as.apiKey, organizationId }, [documentId]);
      if (documentId !== "d450") continue;
      later(0.03);
      await configure(as, { immutable: true });
    }
    await append(as);
    expect((await typesIn(as)).slice(2)).toEqual([...many.slice(0, 451), "activity.configure", ...many.slice(451)]);
  });

  it("is before each update that an unlock permits, also with a wrong clock of the operator", async () => {
    const as = await newLog({ isEnabled: true, immutable: true });
    later(1);
    await addActivities(as, { activityId: "a", eventType: "e", actionUser: { userId: "ann" } });
    const now = Date.now();
    later(5);
    await unlockActivities({ workspace: as.apiKey });
    vi.setSystemTime(now);
    later(1);
    await must(activitiesUpdate, {
      as,
      data: { organizationId, activities: [{ activityId: "a", displayMessage: "x" }] },
    });
    later(10);
    await append(as);
    expect((await typesIn(as)).slice(2)).toEqual(["e", "activity.unlock", "activity.update"]);
  });

  it("has the token of the call, and none of an operator", async () => {
    const as = await newLog({ isEnabled: true, immutable: true });
    later(1);
    await unlockActivities({ workspace: as.apiKey });
    const { authToken } = await must(authtokensCreate, { as, data: { scopes: ["admin"] } });
    await change({ ...as, authToken }, { triggers: { comment: { deleted: false } } });
    await append(as);
    const records = (await verified(as)).filter(({ eventType }) => eventType.startsWith("activity."));
    const idOf = (token: string) => AuthToken.idOf(AuthToken.hashOf(token));
    expect(records.map(({ eventType, authTokenId }) => [eventType, authTokenId])).toEqual([
      ["activity.configure", idOf(as.authToken)],
      ["activity.unlock", undefined],
      ["activity.configure", idOf(authToken)],
    ]);
  });

  it("waits until later calls have later times by any clock", async () => {
    const as = await newWorkspace();
    const record = newCall("c");
    await inCall(record, async () =>
      activityChanges(await Setting.get({ workspace: as.apiKey }, "activity"), { isEnabled: true }),
    );
    expect(record.replyFrom).toBe(Date.now() + 21);
  });
});

it("a silent import is recorded", async () => {
  const as = await newLog();
  await addDocument(as, "d");
  later(1);
  const comments = [{ annotationId: "a", from: { userId: "ann" }, comments: [] }];
  const data = { organizationId, documentId: "d", location: { id: "l" }, comments, silent: true };
  await must(documentsDataAdd, { as, data });
  await append(as);
  expect((await verified(as)).map(({ eventType }) => eventType)).toContain("comment_annotation.add");
});
