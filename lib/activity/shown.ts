// An activity as its reader sees it.
import type { Activity } from "../schema/activity-log.ts";
import type { StoredActivity } from "../store/activity.ts";
import type { ChainRecord, Texts } from "./chain.ts";

/** The texts of a stored activity; a text that was removed is absent. */
const textsOf = ({ texts }: StoredActivity) => JSON.parse(texts ?? "{}") as Texts;

/** The id of the user who acted, unless it was removed. */
export function actorOf(activity: StoredActivity): string | undefined {
  const { actionUser } = textsOf(activity);
  return actionUser && (JSON.parse(actionUser.text) as { userId: string }).userId;
}

export function shown(activity: StoredActivity): Activity {
  const { activityId, organizationId, documentId, eventType, createdAt } = JSON.parse(activity.record) as ChainRecord;
  const { actionUser, displayMessage, changes, metadata } = textsOf(activity);
  return {
    activityId,
    organizationId,
    ...(documentId !== undefined && { documentId }),
    ...(actionUser && { actionUser: JSON.parse(actionUser.text) }),
    eventType,
    ...(displayMessage && { displayMessage: displayMessage.text }),
    ...(changes && { changes: JSON.parse(changes.text) }),
    ...(metadata && { metadata: JSON.parse(metadata.text) }),
    createdAt,
  };
}
