// An activity log without the API: an organization, calls that cause events in it, and what the log has.
import { expect } from "vitest";
import { addActivities } from "../../lib/activity/add-activities.ts";
import { activitiesOf } from "../../lib/activity/list-activities.ts";
import { inCall, newCall } from "../../lib/call.ts";
import { createMissing } from "../../lib/content/existing.ts";
import { commitEach } from "../../lib/jobs/commit.ts";
import type { EventType } from "../../lib/schema/events.ts";
import type { OrganizationRef } from "../../lib/store/refs.ts";
import * as Workspace from "../../lib/store/workspace.ts";

const recorded: EventType[] = ["document.add"];

export async function newOwnLog(): Promise<OrganizationRef> {
  const { apiKey } = await Workspace.create({ name: "log" });
  const organization = { workspace: apiKey, organizationId: "acme" };
  await createMissing(organization, [organization]);
  return organization;
}

let calls = 0;

/** The record of a call in a workspace whose log is on. */
export function loggedCall() {
  const record = newCall(`call-${calls++}`);
  const webhooks = { wantedEvents: [], version: 0, emailEvents: [], slackEvents: [], activityEvents: recorded };
  return Object.assign(record, { webhooks: async () => webhooks });
}

/** Events `document.add` of these documents, by one call, each in a unit of its own. */
export async function addEvents(
  { workspace, organizationId }: OrganizationRef,
  ids: readonly string[],
  call = loggedCall(),
) {
  await inCall(call, () =>
    commitEach(
      ids.map((documentId) => ({ writes: [], documentId })),
      (units) => ({
        events: units.map(({ documentId }) => {
          return { type: "document.add", workspace, organizationId, documentId, data: { documentId } };
        }),
      }),
    ),
  );
}

/** Activities of a client with these ids, by one call. */
export const addOwn = (organization: OrganizationRef, ids: readonly string[], call = loggedCall()) =>
  inCall(call, () =>
    addActivities(
      organization,
      ids.map((activityId) => ({
        activityId,
        actionUser: { userId: "ann" },
        eventType: "own",
        documentId: activityId,
      })),
    ),
  );

/** Expects that each of these activities is in all its lists. */
export async function expectListed(organization: OrganizationRef, documentIds: readonly string[]): Promise<void> {
  const all = await listed(organization, {});
  expect(all.toSorted()).toEqual([...documentIds].sort());
  for (const documentId of documentIds)
    expect(await listed(organization, { documentIds: [documentId] })).toEqual([documentId]);
  const types = await listed(organization, { eventTypes: ["document.add", "own"] });
  expect(types.toSorted()).toEqual([...documentIds].sort());
}

async function listed(organization: OrganizationRef, query: object): Promise<string[]> {
  const source = activitiesOf(organization, { isNewestFirst: false, ...query });
  const { items } = await source.read(1_000);
  const loaded = await source.show(items);
  return loaded.flatMap((each) => (each ? [(each as { documentId: string }).documentId] : []));
}
