import { afterEach, expect, it, vi } from "vitest";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import * as Table from "../../../lib/dynamodb/table.ts";
import { type Pending, pendingEntity } from "../../../lib/store/webhooks/delivery.ts";
import { type Credentials, must } from "../../support/call.ts";
import { jobsOf } from "../../support/jobs.ts";
import { deliver } from "../../support/run-worker.ts";
import { addEndpoint, hooked, receiver, runDrains } from "../../support/webhooks.ts";
import { addDocuments, addFolders, organizationId } from "../../support/workspace.ts";

const documentIds = Array.from({ length: 150 }, (_, index) => `d${index}`);
const folderIds = Array.from({ length: 8 }, (_, level) => `f${level}`);

afterEach(() => void vi.useRealTimers());

/** A workspace with an organization, and with an endpoint for events of this type. */
async function listening(type: string, url: string) {
  const as = await hooked();
  const { id: endpointId } = await addEndpoint(as.apiKey, { url, filterTypes: [type] });
  await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
  return { as, endpointId };
}

/** Runs the outbox jobs in the order opposite to that of their events. */
async function fanOut(as: Credentials): Promise<void> {
  const jobs = await jobsOf(as, "fanout");
  expect(jobs.length).toBeGreaterThan(4);
  const placeOf = ({ payload }: (typeof jobs)[number]) => Number(payload.first);
  for (const { id } of jobs.sort((one, other) => placeOf(other) - placeOf(one))) await deliver(fanout, [id]);
}

async function dueIds({ apiKey }: Credentials, endpointId: string, field: string): Promise<string[]> {
  const due: Pending[] = [];
  for await (const page of Table.all<Pending>(pendingEntity.range({ workspace: apiKey, endpointId })))
    due.push(...page);
  return due.map(({ body }) => JSON.parse(body).data[field]);
}

it("the events of one call are due in the order of its items, over all its transactions", async () => {
  const { as, endpointId } = await listening("document.add", "https://example.com");
  await addDocuments(as, undefined, ...documentIds);
  await fanOut(as);
  expect(await dueIds(as, endpointId, "documentId")).toEqual(documentIds);
});

it("the events of changes that follow one another in one call are due in their order, in the same millisecond too", async () => {
  const { as, endpointId } = await listening("folder.add", "https://example.com");
  vi.useFakeTimers({ toFake: ["Date"] });
  const folders = folderIds.map((folderId, level) => ({ folderId, parentFolderId: folderIds[level - 1] }));
  await addFolders(as, ...folders);
  await fanOut(as);
  expect(await dueIds(as, endpointId, "folderId")).toEqual(folderIds);
});

it("the events of one call arrive almost in its order, although up to 50 attempts run at a time", async () => {
  const { received, url } = await receiver();
  const { as } = await listening("document.add", url);
  await addDocuments(as, undefined, ...documentIds);
  await fanOut(as);
  await runDrains(as.apiKey);
  const arrived = received.map(({ body }) => documentIds.indexOf(JSON.parse(body).documentId));
  expect([...new Set(arrived)].sort((one, other) => one - other)).toEqual([...documentIds.keys()]);
  const inverted = arrived.filter((place, index) => index > 0 && place < (arrived[index - 1] as number));
  // Of the 149 neighbours in a random order, about 75 are inverted.
  expect(inverted.length).toBeLessThan(25);
});
