// An activity as its reader sees it.
import type { Activity } from "../schema/activity-log.ts";
import type { ActivityContent } from "../store/activity/activity.ts";
import type { Texts } from "../store/activity/activity-chain.ts";
import type { ActivityHome } from "../store/activity/activity-home.ts";

/** The texts as they are now; a text that was removed is absent. */
const textsOf = ({ texts, present }: ActivityContent): Texts => ({
  ...(JSON.parse(texts ?? "{}") as Texts),
  ...(JSON.parse(present ?? "{}") as Texts),
});

export function shown(activity: ActivityHome): Activity {
  const { activityId, organizationId, documentId, eventType, createdAt } = activity.record;
  const { actionUser, displayMessage, changes, metadata } = textsOf(activity);
  const { updatedAt } = activity;
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
    ...(updatedAt !== undefined && { updatedAt }),
  };
}
