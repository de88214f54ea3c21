import { describe, expect, it } from "vitest";
import { documentsAdd } from "../../../functions/content/documents-add.ts";
import { organizationsAdd } from "../../../functions/content/organizations-add.ts";
import { activity } from "../../../functions/workers/activity.ts";
import { activityconfigUpdate } from "../../../functions/workspace/activityconfig-update.ts";
import { appendJob, settledMs } from "../../../lib/activity/append-job.ts";
import { canonicalJson, firstHash, hashOfRecord, hashOfText, type Texts } from "../../../lib/activity/chain.ts";
import type { StoredActivity } from "../../../lib/store/activity.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();

const organizationId = "acme";

async function withLog(activityServiceConfig: object = { isEnabled: true }): Promise<Credentials> {
  const as = await newWorkspace();
  await must(activityconfigUpdate, { as, data: { activityServiceConfig } });
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  return as;
}

async function add(as: Credentials, ...documentIds: string[]): Promise<void> {
  later(0.02);
  await must(documentsAdd, {
    as,
    data: { organizationId, documents: documentIds.map((documentId) => ({ documentId })) },
  });
}

async function append({ apiKey: workspace }: Credentials) {
  later(settledMs / 1_000 + 1);
  return activity.run(appendJob({ workspace, organizationId }), Date.now() + 20_000);
}

const logOf = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ entity }) => entity === "activity") as unknown as StoredActivity[];

describe("the writer", () => {
  it("appends the events in the order of the calls, and removes what has waited", async () => {
    const as = await withLog();
    for (const documentId of ["a", "b", "c"]) await add(as, documentId);
    expect(await append(as)).toBe("done");
    const records = (await logOf(as)).map(({ record }) => JSON.parse(record));
    expect(records.map(({ sequence, eventType, documentId }) => [sequence, eventType, documentId])).toEqual([
      [1, "organization.add", undefined],
      [2, "document.add", "a"],
      [3, "document.add", "b"],
      [4, "document.add", "c"],
    ]);
    const waiting = (await itemsOf(as.apiKey)).filter(({ entity }) => entity === "activity-entry");
    expect(waiting).toEqual([]);
  });

  it("makes a chain that anyone can compute", async () => {
    const as = await withLog();
    await add(as, "a", "b");
    await append(as);
    let previous = "";
    for (const { record, hash, texts } of await logOf(as)) {
      const parsed = JSON.parse(record);
      expect(record).toBe(canonicalJson(parsed));
      expect(hash).toBe(hashOfRecord(previous || firstHash(parsed.chain), parsed));
      const { changes } = JSON.parse(texts ?? "{}") as Texts;
      expect(changes && hashOfText(changes)).toBe(parsed.content.changes);
      previous = hash;
    }
  });
});
