// Adds activities of clients to a log (DECISIONS.md#changes-of-a-log). They are readable at once. The log's
// writer puts them into the chain later, in the order of the calls.
import { causedBy, currentCall, notedSteps } from "../call.ts";
import { commitEach } from "../jobs/commit.ts";
import { newId } from "../new-id.ts";
import type { NewActivity } from "../schema/activity-log.ts";
import { timeOf } from "../schema/moment.ts";
import { isOwnId } from "../store/activity/activity.ts";
import { contentOf, salted, type Texts } from "../store/activity/activity-chain.ts";
import type { LoggedAddition } from "../store/activity/activity-entry.ts";
import * as Home from "../store/activity/activity-home.ts";
import * as ClientActivity from "../store/activity/client-activity.ts";
import { listTime } from "../store/features/feature-list.ts";
import type { OrganizationRef } from "../store/refs.ts";

type Added = "added" | "already-exists";

/** Returns the id of each activity, in their order, and the result for each id. */
export async function addActivities(organization: OrganizationRef, activities: readonly NewActivity[]) {
  const at = new Date().toISOString();
  const ids = activities.map(({ activityId }) => activityId ?? newId());
  const taken = await ofEvents(organization, ids.filter(isOwnId));
  const noted = await notedSteps();
  const outcomes = new Map<string, Added>();
  for (const id of ids) if (taken.has(id)) outcomes.set(id, "already-exists");
  const units = activities.flatMap((activity, index) => {
    const activityId = ids[index] as string;
    if (outcomes.has(activityId)) return [];
    outcomes.set(activityId, noted.has(activityId) ? "added" : "already-exists");
    return noted.has(activityId) ? [] : [unitOf(organization, activity, activityId, at)];
  });
  const written = await commitEach(units, (some) => ({ logged: some.map(({ logged }) => logged) }));
  for (const [index, isWritten] of written.entries())
    if (isWritten) outcomes.set(units[index]?.activityId as string, "added");
  return { ids, outcomes };
}

/** The ids among these that events of this log have. */
async function ofEvents(organization: OrganizationRef, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { head } = await Home.find(organization, ids);
  return new Set(ids.filter((id) => head && id.endsWith(`_${head.chain.slice(0, 8)}`)));
}

function unitOf(organization: OrganizationRef, activity: NewActivity, activityId: string, at: string) {
  const { documentId, eventType, actionUser, displayMessage, changes, metadata } = activity;
  const createdAt = listTime(activity.createdAt === undefined ? at : timeOf(activity.createdAt));
  const { workspace, organizationId } = organization;
  const texts = textsOf({ actionUser, displayMessage, changes, metadata });
  const name = { activityId, organizationId, ...(documentId !== undefined && { documentId }), eventType, createdAt };
  const record = { ...name, authTokenId: currentCall()?.authTokenId, content: contentOf(texts) };
  const content = { texts: JSON.stringify(texts), ...causedBy() };
  const data: LoggedAddition = { ...name, actionUserId: actionUser.userId };
  return {
    activityId,
    writes: ClientActivity.creation(organization, record, content, actionUser.userId),
    step: { name: activityId, outcome: "added" },
    logged: { type: "activity.add" as const, workspace, organizationId, data },
  };
}

/** The texts as they are stored: a message as it is, all else as JSON. */
export function textsOf(parts: Partial<Pick<NewActivity, "actionUser" | "displayMessage" | "changes" | "metadata">>) {
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([part, value]) => [part, salted(typeof value === "string" ? value : JSON.stringify(value))]),
  ) as Texts;
}
