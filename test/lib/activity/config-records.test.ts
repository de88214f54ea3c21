// Each chain has a record of each change of what its log records.
import { describe, expect, it } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { activity } from "../../../functions/workers/activity.ts";
import { wakeLogsJob } from "../../../lib/activity/wake-logs.ts";
import * as Activity from "../../../lib/store/activity/activity.ts";
import { append, chainOf, configure, newLog, organizationId, verified } from "../../support/activity-log.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";

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
  const chain = (await chainOf(as)).filter(({ record }) => JSON.parse(record).eventType === "activity.configure");
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
      ["organization.add", undefined],
      ["activity.configure", undefined],
      ["activity.configure", undefined],
      ["document.add", "seen"],
    ]);
    expect(await changesIn(as)).toEqual([
      { number: 2, isEnabled: false },
      { number: 3, isEnabled: true },
    ]);
  });

  it.each<[string, object[], object[]]>([
    [
      "a trigger",
      [{ triggers: { document: { added: false } } }, { triggers: { document: { added: true } } }],
      [
        { number: 2, triggers: { document: { added: false } } },
        { number: 3, triggers: { document: { added: true } } },
      ],
    ],
    ["immutable", [{ immutable: true }], [{ number: 2, immutable: true }]],
    ["values that it has already: none", [{ isEnabled: true }, { isEnabled: true, triggers: undefined }, {}], []],
  ])("shows a change of %s", async (_, steps, records) => {
    const as = await newLog();
    await append(as);
    for (const step of steps) await change(as, step);
    await append(as);
    expect(await changesIn(as)).toEqual(records);
  });

  it("shows that changes are missing, if there were too many between two records", async () => {
    const as = await newLog();
    await append(as);
    for (let index = 0; index < 26; index++) await change(as, { triggers: { crdt: { added: index % 2 > 0 } } });
    await append(as);
    const numbers = (await changesIn(as)).map((each) => (each as { number: number }).number);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => index + 8));
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
    expect(await changesIn(as)).toEqual([{ number: 2, isEnabled: false }]);
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
